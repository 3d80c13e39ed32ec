import Domain

extension SimulatedSensor {
  /// The Bluetooth address that a chip id stands for: the id is the factory address with its bytes
  /// in reverse, and Bluetooth has the factory address plus two.
  package static func bluetoothAddress(of id: SensorID) -> BluetoothAddress {
    let digits = Array(id.text)
    let bytes = stride(from: 10, through: 0, by: -2).map {
      UInt8(hexadecimal: digits[$0...($0 + 1)])
    }
    let pairs = (bytes.dropLast() + [bytes[5] &+ 2]).map { byte in
      let text = String(byte, radix: 16)
      return byte < 16 ? "0\(text)" : text
    }
    guard let address = BluetoothAddress(pairs.joined(separator: ":")) else {
      preconditionFailure("six bytes make an address")
    }
    return address
  }
}

extension UInt8 {
  fileprivate init(hexadecimal digits: ArraySlice<Character>) {
    self = UInt8(String(digits), radix: 16) ?? 0
  }
}
