/// What may differ between two sensors, and between what is known of the firmware and the truth.
package struct SensorTraits: Hashable, Sendable {
  package var firmware: Firmware
  /// Characteristics lost to the attribute table's overflow in this boot.
  package var missing: Set<SensorCharacteristic>
  /// Characteristics without a subscription descriptor.
  package var unsubscribable: Set<SensorCharacteristic>
  /// Whether TLS is tried while the Bluetooth stack is loaded; it takes more memory than is left.
  package var hasMemoryForBoth: Bool
  /// Characteristics whose values arrive damaged, with one character too many.
  package var garbled: Set<SensorCharacteristic>
  /// Whether it checks certificates also for an address, as it does for a name.
  package var verifiesCertificates: Bool
  /// Whether it measures at all; else it logs in and never says a level.
  package var measures: Bool

  package init(
    firmware: Firmware = .current, missing: Set<SensorCharacteristic> = [],
    unsubscribable: Set<SensorCharacteristic> = [.mqttStatus], hasMemoryForBoth: Bool = false,
    garbled: Set<SensorCharacteristic> = [], verifiesCertificates: Bool = false,
    measures: Bool = true
  ) {
    self.firmware = firmware
    self.missing = missing
    self.unsubscribable = unsubscribable
    self.hasMemoryForBoth = hasMemoryForBoth
    self.garbled = garbled
    self.verifiesCertificates = verifiesCertificates
    self.measures = measures
  }

  /// The generations whose status payloads differ.
  package enum Firmware: String, Hashable, Sendable, CaseIterable {
    case current = "2.5.0"
    case early = "1.3"
  }
}

/// What survives a restart: the settings in flash.
package struct SensorFlash: Hashable, Sendable {
  package var wifi: WiFi?
  package var broker: Broker

  package init(wifi: WiFi? = nil, broker: Broker = Broker()) {
    self.wifi = wifi
    self.broker = broker
  }

  package struct WiFi: Hashable, Sendable {
    package var ssid: [UInt8]
    package var key: [UInt8]

    package init(ssid: String, key: String) {
      self.init(ssid: Array(ssid.utf8), key: Array(key.utf8))
    }

    init(ssid: [UInt8], key: [UInt8]) {
      self.ssid = ssid
      self.key = key
    }

    /// The radio's core refuses longer values and never starts.
    var isStartable: Bool { ssid.count <= 32 && key.count <= 64 }
  }

  package struct Broker: Hashable, Sendable {
    package var host: String
    package var port: Int
    package var user: String
    package var password: String

    package init(host: String = "", port: Int = 0, user: String = "", password: String = "") {
      self.host = host
      self.port = port
      self.user = user
      self.password = password
    }

    /// With one of them missing, MQTT is never tried.
    var isComplete: Bool {
      !host.isEmpty && port != 0 && !user.isEmpty && !password.isEmpty
    }

    /// The sensor speaks TLS on 8883 alone, and takes any certificate from an IPv4 literal alone.
    var isReachableWithoutRootCertificate: Bool {
      port == 8883 && (7...15).contains(host.utf8.count)
        && host.utf8.allSatisfy { $0 == 0x2E || (0x30...0x39).contains($0) }
        && host.utf8.count(where: { $0 == 0x2E }) == 3
    }
  }
}
