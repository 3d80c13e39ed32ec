import Domain
import FoundationEssentials
import Services
import Storage
import Texts

extension Endpoints {
  func addSensorRoutes(to router: inout Router) {
    on("GET", "/sensors", in: &router) { _, language in
      try .encoded(try await list(only: nil, language))
    }
    on("GET", "/sensors/unclaimed", in: &router) { _, _ in
      try .encoded(await unclaimed.all.map(API.UnclaimedSensor.init))
    }
    on("GET", "/sensors/{chip}", in: &router) { request, language in
      try .encoded(try await shown(try request.chip(), language))
    }
    on("PATCH", "/sensors/{chip}", in: &router) { request, language in
      let chip = try request.chip()
      let body: API.Name = try request.json()
      guard try await sensors.rename(chip, to: try SensorName(body.name)) != nil else {
        throw Refusal.notFound(Self.sensor)
      }
      return try .encoded(try await shown(chip, language))
    }
    on("DELETE", "/sensors/{chip}", in: &router) { request, _ in
      let purge = request.query["purge"] == "true"
      guard try await sensors.remove(try request.chip(), purge: purge, by: request.peer) else {
        throw Refusal.notFound(Self.sensor)
      }
      return .noContent
    }
    on("POST", "/sensors/{chip}/adopt", in: &router) { request, language in
      let chip = try request.chip()
      let body: API.Name = try request.json()
      guard try await sensors.adopt(chip, as: try SensorName(body.name)) != nil else {
        throw Refusal.notFound(Phrase(en: "unclaimed sensor", fr: "capteur non réclamé"))
      }
      return try .encoded(try await shown(chip, language), status: 201)
    }
    on("POST", "/sensors/{chip}/reset", in: &router) { request, _ in
      try await desk.resetOverMQTT(try request.chip(), by: request.peer)
      return .noContent
    }
  }

  static let sensor = Phrase(en: "sensor", fr: "capteur")

  private func shown(_ chip: SensorID, _ language: Language) async throws -> API.Sensor {
    guard let sensor = try await list(only: chip, language).first else {
      throw Refusal.notFound(Self.sensor)
    }
    return sensor
  }

  /// The last hour in 30 buckets.
  private static let sparkline = (count: 30, width: Duration.seconds(120))

  private func list(only chip: SensorID?, _ language: Language) async throws -> [API.Sensor] {
    let moment = now()
    let start = moment - Self.sparkline.width * Self.sparkline.count
    let rows = try await database.read { connection in
      let stored = SensorStore(connection)
      let shown = try chip.map { try stored.find($0).map { [$0] } ?? [] } ?? stored.all()
      let states = Dictionary(
        uniqueKeysWithValues: try SensorStateStore(connection).all().map { ($0.sensor, $0) })
      let buckets: [SensorID: [LevelBucket]] = try ReadingStore(connection).buckets(
        from: start, to: moment, width: Self.sparkline.width)
      return try shown.map { sensor in
        Row(
          sensor: sensor, state: states[sensor.id],
          last: try ReadingStore(connection).latest(sensor.id), buckets: buckets[sensor.id] ?? [],
          alert: try AlertStore(connection).last(of: sensor.id))
      }
    }
    var result: [API.Sensor] = []
    for row in rows {
      // Up to five seconds of readings are in memory only.
      let live = await feed.latest(of: row.sensor.id)
      let last = [live, row.last].compactMap(\.self).max { $0.at < $1.at }
      var spark = [Double?](repeating: nil, count: Self.sparkline.count)
      for bucket in row.buckets {
        let slot = (bucket.start - start).milliseconds / Self.sparkline.width.milliseconds
        if spark.indices.contains(Int(slot)) { spark[Int(slot)] = bucket.mean }
      }
      result.append(
        API.Sensor(
          row.sensor, last: last, refusedPayloads: row.state?.refusedPayloads ?? 0,
          sparkline: spark,
          lastAlert: row.alert.map {
            API.Alert($0, sensorName: row.sensor.name.text, language)
          }, now: moment))
    }
    return result
  }

  private struct Row: Sendable {
    let sensor: Sensor
    let state: SensorState?
    let last: Reading?
    let buckets: [LevelBucket]
    let alert: Alert?
  }
}
