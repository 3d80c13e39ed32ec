import Domain
import Glibc

/// The configuration file of the gateway's own broker.
package struct MosquittoConfiguration: Sendable, Hashable {
  package var broker: LocalBroker
  /// The dynamic-security plugin's library.
  package var plugin: String
  /// Who to run as when started by root; nil leaves it to whoever starts it.
  package var user: String?
  /// Off only in tests: sensors publish at QoS 0, and only an upgraded message waits for the daemon.
  package var upgradesQoS = true

  package init(_ broker: LocalBroker, plugin: String, user: String? = nil) {
    self.broker = broker
    self.plugin = plugin
    self.user = user
  }

  package var text: String {
    """
    # Written by `soundgate broker setup`, which overwrites it.
    listener \(broker.port)\(broker.listenAddress.map { " \($0)" } ?? "")
    certfile \(broker.certificate)
    keyfile \(broker.key)
    # Sensors speak TLS 1.2; nothing older is let in.
    tls_version tlsv1.2
    max_connections 1000
    allow_anonymous false
    plugin \(plugin)
    plugin_opt_config_file \(broker.accountStore)
    \(user.map { "user \($0)\n" } ?? "")
    # Sensors publish at QoS 0. Upgraded, a message is kept until the daemon has stored it.
    upgrade_outgoing_qos \(upgradesQoS)
    queue_qos0_messages true
    max_inflight_messages 2000
    max_queued_messages 200000
    message_size_limit 16384
    set_tcp_nodelay true

    persistence true
    persistence_location \(broker.directory)/
    persistence_file mosquitto.db
    autosave_interval 60

    # The daemon reads the log from the broker to tell which leg of an enrolment failed.
    log_dest stderr
    log_dest topic
    log_type error
    log_type warning
    log_type notice
    log_type information
    connection_messages true
    sys_interval 0

    """
  }

  /// Looks for the plugin where Debian and Ubuntu put it, this machine's architecture first.
  ///
  /// - Throws: `SG-MQTT-321` when Mosquitto is not installed.
  package static func installedPlugin(under root: String = "/usr/lib") throws(Fault) -> String {
    let name = "mosquitto_dynamic_security.so"
    var found = glob_t()
    defer { globfree(&found) }
    glob("\(root)/*-linux-*/\(name)", 0, nil, &found)
    glob("\(root)/\(name)", GLOB_APPEND, nil, &found)
    let paths = (0..<Int(found.gl_pathc)).compactMap { index in
      found.gl_pathv?[index].map { String(cString: $0) }
    }
    let ours = paths.first { $0.hasPrefix("\(root)/\(Self.architecture)-linux-") } ?? paths.first
    guard let ours else {
      throw Fault(.brokerNotSetUp, "\(name) is missing: install the package mosquitto")
    }
    return ours
  }

  private static var architecture: String {
    var names = utsname()
    guard uname(&names) == 0 else { return "" }
    let machine = withUnsafeBytes(of: &names.machine) { bytes in
      String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
    // A 32-bit Raspberry Pi OS on a 64-bit kernel says aarch64 and has only its own library.
    return machine.hasPrefix("armv") ? "arm" : machine
  }
}
