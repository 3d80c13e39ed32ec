/// What a sensor offers over GATT (`docs/sensor-profile.md`, "GATT table").
///
/// Stated here a second time, apart from the gateway's own profile, so that a slip in one of the two
/// shows in the tests instead of cancelling out.
package enum SensorCharacteristic: String, Hashable, Sendable, CaseIterable {
  case wifiSSID = "beb5483e-36e1-4688-b7f5-ea07361b26a8"
  case wifiKey = "cba1d466-3d7c-4382-8098-edbded2ef9e0"
  case wifiStatus = "5e3b1f9e-2d8a-4a1f-8c3d-9e7f1a3b5c7d"
  case mqttHost = "7e1a9da9-2f1a-4d0e-bf2c-0f7f8efb0001"
  case mqttPort = "7e1a9da9-2f1a-4d0e-bf2c-0f7f8efb0002"
  case mqttUser = "7e1a9da9-2f1a-4d0e-bf2c-0f7f8efb0003"
  case mqttPassword = "7e1a9da9-2f1a-4d0e-bf2c-0f7f8efb0004"
  case mqttStatus = "7e1a9da9-2f1a-4d0e-bf2c-0f7f8efb0005"
  case mqttBase = "7e1a9da9-2f1a-4d0e-bf2c-0f7f8efb1005"
  case deviceID = "7e1a9da9-2f1a-4d0e-bf2c-0f7f8efb1006"

  package var service: Service {
    switch self {
    case .wifiSSID, .wifiKey, .wifiStatus: .wifi
    default: .mqtt
    }
  }

  /// The flags as BlueZ names them.
  package var flags: [String] {
    switch self {
    case .wifiSSID, .wifiKey, .mqttPassword: ["write-without-response", "write"]
    case .mqttHost, .mqttPort, .mqttUser: ["write"]
    case .wifiStatus, .mqttStatus: ["read", "notify"]
    case .mqttBase, .deviceID: ["read"]
    }
  }

  package enum Service: String, Hashable, Sendable, CaseIterable {
    case wifi = "4fafc201-1fb5-459e-8fcc-c5c9c331914c"
    case mqtt = "9f4b9d01-7c7c-4f82-a7d7-1f2aeee10001"

    package var characteristics: [SensorCharacteristic] {
      SensorCharacteristic.allCases.filter { $0.service == self }
    }
  }
}
