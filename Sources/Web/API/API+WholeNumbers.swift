extension KeyedDecodingContainer {
  /// A whole number, for every value of the API that has one: what the library throws of `1.5` does not
  /// say in which field it stands, and takes the body for no JSON at all.
  func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? {
    let refusal = DecodingError.typeMismatch(
      type, .init(codingPath: codingPath + [key], debugDescription: "a whole number is expected"))
    let number: Double?
    do {
      number = try decodeIfPresent(Double.self, forKey: key)
    } catch DecodingError.typeMismatch {
      throw refusal
    }
    guard let number else { return nil }
    guard let whole = Int(exactly: number) else { throw refusal }
    return whole
  }
}
