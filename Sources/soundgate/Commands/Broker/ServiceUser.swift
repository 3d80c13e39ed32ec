import Domain
import MQTT
import Texts

/// One of the two users that the installation makes.
package enum ServiceUser: String, Sendable {
  /// The local broker's.
  case broker = "soundgate-broker"
  /// The daemon's.
  case daemon = "soundgate"

  /// - Throws: `SG-MQTT-321` when there is no such user, with what makes one: setting up the broker
  ///   again would not.
  package static func find(_ name: String) throws(Refused) -> BrokerSetup.Owners.User {
    if let user = try? BrokerSetup.Owners.User(named: name) { return user }
    throw Refused(
      .brokerNotSetUp,
      Phrase(
        en: "this machine has no user “\(name)”: the installation is not complete",
        fr: "cette machine n’a pas d’utilisateur « \(name) » : l’installation est incomplète"),
      hint: Phrase(
        en: "install it whole: sudo make install — or, if that was done: sudo systemd-sysusers",
        fr: "installez le tout : sudo make install — ou, si c’est fait : sudo systemd-sysusers"))
  }

  func find() throws(Refused) -> BrokerSetup.Owners.User { try Self.find(rawValue) }
}
