import Domain
import TestSupport
import Testing

@Suite("A topic")
struct TopicTests {
  @Test("of a sensor is recognised")
  func recognised() {
    let id = sensorID(0xABC)
    #expect(Topic("devices/000000000ABC/status") == .status(id))
    #expect(Topic("devices/000000000ABC/availability") == .availability(id))
    #expect(Topic("devices/000000000ABC/ota/status") == .firmwareStatus(id))
    #expect(Topic("devices/000000000ABC/cmd/reset_mqtt/ack") == .resetAcknowledgement(id))
    #expect(Topic("devices/000000000ABC/status")?.sensor == id)
  }

  @Test(
    "that is anything else is odd",
    arguments: [
      "", "/", "devices", "devices/000000000ABC", "devices/000000000ABC/", "devices//status",
      "devices/000000000abc/status", "devices/000000000ABCD/status", "devices/000000000AB/status",
      "devices/000000000ABC/status/", "devices/000000000ABC/Status", "Devices/000000000ABC/status",
      "/devices/000000000ABC/status", "devices/000000000ABC/cmd/reboot",
      "devices/000000000ABC/ota", "devices/+/status", "devices/00000000 ABC/status",
      "devices/000000000ABC/status\0", "homeassistant/sensor/000000000ABC/sound/config",
    ])
  func odd(text: String) {
    #expect(Topic(text) == nil)
  }

  @Test("for the reset of a sensor is the one it listens to")
  func reset() {
    #expect(Topic.resetMQTT(sensorID(0xABC)) == "devices/000000000ABC/cmd/reset_mqtt")
  }

  @Test("carries one of two words for availability")
  func availability() {
    #expect(Availability(payload: Array("online".utf8)) == .online)
    #expect(Availability(payload: Array("offline".utf8)) == .offline)
    for other in ["", "Online", "online ", "offline\0"] {
      #expect(Availability(payload: Array(other.utf8)) == nil)
    }
  }
}
