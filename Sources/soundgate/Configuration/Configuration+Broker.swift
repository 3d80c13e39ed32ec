import Domain
import Glibc
import Host
import MQTT

extension Configuration {
  /// Where the files of the gateway's own broker are, and where it listens.
  var localBroker: LocalBroker {
    LocalBroker(
      directory: broker.directory, stateDirectory: storage.directory, port: broker.port,
      listenAddress: broker.host == "127.0.0.1" ? nil : IPv4Address(broker.host))
  }

  /// The daemon's connection to a site's broker; its client id is the caller's to choose.
  func siteConnection() throws(Fault) -> ClientSettings {
    ClientSettings(
      host: broker.host, port: broker.port, clientID: "", user: broker.user,
      password: try sitePassword(),
      tls: broker.authority.map { .authority(file: $0) } ?? .systemAuthorities)
  }

  /// The password at a site's broker: the credential `soundgate.broker`, else the configured file.
  func sitePassword() throws(Fault) -> Secret {
    let credential = Environment["CREDENTIALS_DIRECTORY"].map { "\($0)/soundgate.broker" }
    for path in [credential, broker.passwordFile].compactMap(\.self) {
      do throws(FileError) {
        let text = String(decoding: try Files.read(path, atMost: 4096), as: UTF8.self)
        return Secret(String(text.prefix { !$0.isNewline }))
      } catch  where error.error == ENOENT && path == credential {
        continue
      } catch {
        throw Fault(.configuration, "\(error)")
      }
    }
    throw Fault(.configuration, "[broker] password-file is not given")
  }
}
