import Domain
import Services
import Storage
import Texts

extension Endpoints {
  func addReadingRoutes(to router: inout Router) {
    on("GET", "/sensors/{chip}/readings", in: &router) { request, _ in
      let chip = try await known(try request.chip())
      let limit = try request.number("limit", in: 1...1000, else: 100)
      let from = try request.moment("from") ?? Timestamp(milliseconds: 0)
      let to = try request.moment("to") ?? now() + .seconds(1)
      let cursor = try request.cursor()
      let page = try await database.read {
        try ReadingStore($0).spanBackwards(chip, from: from, to: to, after: cursor, limit: limit)
      }
      return try .encoded(
        API.Readings(
          readings: page.readings.map(API.Reading.init),
          next: page.next.map { "\($0.at.milliseconds).\($0.seq)" }))
    }
    on("GET", "/sensors/{chip}/levels", in: &router) { request, _ in
      let chip = try await known(try request.chip())
      let count = try request.number("buckets", in: 1...500, else: 60)
      let to = try request.moment("to") ?? now()
      let from = try request.moment("from") ?? to - .seconds(3600)
      guard from < to else {
        throw Refusal.badQuery("from", Phrase(en: "before “to”", fr: "avant « to »"))
      }
      let width = Duration.milliseconds(
        max(1, ((to - from).milliseconds + Int64(count) - 1) / Int64(count)))
      let buckets: [LevelBucket] = try await database.read {
        try ReadingStore($0).buckets(chip, from: from, to: to, width: width)
      }
      let found = Dictionary(uniqueKeysWithValues: buckets.map { ($0.start, $0) })
      let levels = (0..<count).map { index -> API.Level in
        let start = from + width * index
        let bucket = found[start]
        return API.Level(
          from: start, to: min(start + width, to), count: bucket?.count ?? 0, mean: bucket?.mean,
          min: bucket.map { Double($0.minimum) }, max: bucket.map { Double($0.maximum) })
      }
      return try .encoded(levels)
    }
  }

  /// Refuses a chip id that is no sensor of ours.
  private func known(_ chip: SensorID) async throws -> SensorID {
    guard try await database.read({ try SensorStore($0).find(chip) }) != nil else {
      throw Refusal.notFound(Self.sensor)
    }
    return chip
  }
}

extension Request {
  /// `before`, as a page's `next` gave it: milliseconds, a dot, a number.
  fileprivate func cursor() throws(Refusal) -> ReadingCursor? {
    guard let text = query["before"] else { return nil }
    let parts = text.split(separator: ".")
    guard parts.count == 2, let at = Int64(parts[0]), let seq = Int(parts[1]) else {
      throw .badQuery("before", Phrase(en: "the “next” of a page", fr: "le « next » d’une page"))
    }
    return ReadingCursor(at: Timestamp(milliseconds: at), seq: seq)
  }
}
