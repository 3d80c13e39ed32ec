import Domain
import Texts
import Web

/// `soundgate enrol`: takes a sensor through its five steps.
enum EnrolCommand: Command {
  static let name = "enrol"
  static let summary = Phrase(
    en: "enrol a sensor, guided step by step", fr: "enrôler un capteur, pas à pas")
  static let usage = Phrase(
    en: """
      usage: soundgate enrol [--sensor CHIP] [--address ADDRESS] [--ssid NAME] [--key-file FILE|-]
                             [--no-remember] [--name NAME] [--yes] [--json]

      Five steps: 1 choose the sensor, 2 give the Wi-Fi, 3 Wi-Fi verified, 4 first reading received,
      5 name. What is not given is asked for. --yes answers all five in advance and asks nothing: it
      needs --sensor (a chip id, or "any" for the first heard), --ssid and --name; without
      --key-file the saved key of that network is used. The key is never an argument.

      Exit status: 0 enrolled, 2 refused input, 3 Bluetooth, 4 Wi-Fi, 5 MQTT, 6 storage.

      examples:
        soundgate enrol
        soundgate enrol --sensor 332211CCBBAA --ssid Flat-2 --key-file - --name "Stairwell" --yes
      """,
    fr: """
      usage : soundgate enrol [--sensor PUCE] [--address ADRESSE] [--ssid NOM]
                              [--key-file FICHIER|-] [--no-remember] [--name NOM] [--yes] [--json]

      Cinq étapes : 1 choisir le capteur, 2 donner le Wi-Fi, 3 Wi-Fi vérifié, 4 première mesure reçue,
      5 nom. Ce qui manque est demandé. --yes répond d’avance aux cinq et ne demande rien : il faut
      --sensor (un identifiant, ou « any » pour le premier entendu), --ssid et --name ; sans
      --key-file, la clé enregistrée pour ce réseau sert. La clé n’est jamais un argument.

      Code de retour : 0 enrôlé, 2 saisie refusée, 3 Bluetooth, 4 Wi-Fi, 5 MQTT, 6 stockage.

      exemples :
        soundgate enrol
        soundgate enrol --sensor 332211CCBBAA --ssid Appart-2 --key-file - --name "Escalier" --yes
      """)
  static let options: Set<String> = ["sensor", "address", "ssid", "key-file", "name"]
  static let flags: Set<String> = ["no-remember", "yes"]

  static func run(_ call: Call) async throws -> Int32 {
    try call.arguments.expect(atMost: 0)
    let answers = try Answers(call)
    let gateway = Gateway(call)
    try await answers.findKey(gateway)
    let begun: API.Enrolment = try await gateway.post("/enrolments")
    return await EnrolmentGuide(
      terminal: call.terminal, wantsJSON: call.wantsJSON, gateway: gateway, answers: answers,
      isNew: true
    ).lead(begun)
  }
}

/// What was given in advance on the command line.
struct Answers: Sendable {
  let sensor: SensorID?
  let takesAny: Bool
  let address: BluetoothAddress?
  let ssid: String?
  let key: Secret?
  let remember: Bool
  let name: String?
  /// Asks nothing.
  let isComplete: Bool

  /// All five given in advance.
  init(sensor: SensorID, ssid: String, key: Secret, name: String) {
    self.sensor = sensor
    self.ssid = ssid
    self.key = key
    self.name = name
    takesAny = false
    address = nil
    remember = true
    isComplete = true
  }

  /// - Parameter isResuming: an enrolment under way may need none of it any more.
  init(_ call: Call, isResuming: Bool = false) throws {
    let arguments = call.arguments
    takesAny = arguments["sensor"] == "any"
    if let text = arguments["sensor"], !takesAny {
      guard let chip = SensorID(text.uppercased()) else {
        throw Arguments.Refusal.badValue(
          option: "--sensor", value: text.visible,
          expected: Phrase(
            en: "twelve digits 0–9 and A–F, or “any”", fr: "douze chiffres 0–9 et A–F, ou « any »"))
      }
      sensor = chip
    } else {
      sensor = nil
    }
    if let text = arguments["address"] {
      guard let address = BluetoothAddress(text) else {
        throw Arguments.Refusal.badValue(
          option: "--address", value: text.visible,
          expected: Phrase(en: "such as AA:BB:CC:DD:EE:FF", fr: "comme AA:BB:CC:DD:EE:FF"))
      }
      self.address = address
    } else {
      address = nil
    }
    ssid = arguments["ssid"]
    remember = !arguments.has("no-remember")
    name = arguments["name"]
    isComplete = arguments.has("yes")
    if isComplete, !isResuming {
      for option in ["sensor", "ssid", "name"] where arguments[option] == nil {
        throw Arguments.Refusal.missingWord("--\(option)")
      }
    }
    key = try call.secret(option: "key-file")
    try validate()
  }

  /// Without a key to give and anybody to ask, a saved one must be there: before a sensor is touched.
  func findKey(_ gateway: Gateway) async throws {
    guard isComplete, key == nil, let ssid else { return }
    let saved: [API.Network] = try await gateway.get("/networks")
    guard saved.contains(where: { $0.ssid == ssid }) else {
      throw Refused(
        .invalidInput,
        Phrase(
          en: "no key is saved for \(ssid.visible): give it with --key-file",
          fr: "aucune clé n’est enregistrée pour \(ssid.visible) : donnez-la par --key-file"))
    }
  }

  /// What the daemon would refuse later is refused now, before a sensor is touched.
  private func validate() throws {
    if let ssid, let key { _ = try WiFiCredentials(ssid: ssid, key: key) }
    if let name { _ = try SensorName(name) }
  }
}
