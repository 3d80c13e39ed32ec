import Crypto
import Domain
import FoundationEssentials
import Host
import Services
import Storage
import Texts

/// Everything the routes reach: the daemon's parts, and who it is.
package struct Endpoints: Sendable {
  let database: Database
  let desk: EnrolmentDesk
  let sensors: SensorDesk
  let board: StatusBoard
  let feed: ReadingFeed
  let unclaimed: UnclaimedSensors
  let sealKey: SealKey
  /// Rung when the forwarder has something new to look at.
  let outboxBell: Bell
  let judgeURL: URLJudge
  let identity: Identity
  let now: WallClock

  /// Refuses an address that whoever sends the alerts could not read.
  package typealias URLJudge = @Sendable (String) throws(InvalidURL) -> Void

  /// Who the gateway is.
  package struct Identity: Sendable {
    package let gateway: String
    package let site: String?
    package let version: String
    package let startedAt: Timestamp

    package init(gateway: String, site: String?, version: String, startedAt: Timestamp) {
      self.gateway = gateway
      self.site = site
      self.version = version
      self.startedAt = startedAt
    }
  }

  package init(
    database: Database, desk: EnrolmentDesk, sensors: SensorDesk, board: StatusBoard,
    feed: ReadingFeed, unclaimed: UnclaimedSensors, sealKey: SealKey, outboxBell: Bell,
    judgeURL: @escaping URLJudge, identity: Identity, now: @escaping WallClock
  ) {
    self.database = database
    self.desk = desk
    self.sensors = sensors
    self.board = board
    self.feed = feed
    self.unclaimed = unclaimed
    self.sealKey = sealKey
    self.outboxBell = outboxBell
    self.judgeURL = judgeURL
    self.identity = identity
    self.now = now
  }

  /// The routes of `docs/api/openapi.yaml`, all of them and no others.
  package func router() -> Router {
    var router = Router { miss, request in Self.answer(miss, request) }
    addStatusRoutes(to: &router)
    addEnrolmentRoutes(to: &router)
    addSensorRoutes(to: &router)
    addReadingRoutes(to: &router)
    addRuleRoutes(to: &router)
    addAlertRoutes(to: &router)
    addBackendRoutes(to: &router)
    addLiveRoutes(to: &router)
    return router
  }

  typealias Work = @Sendable (Request, Language) async throws -> Response

  /// A route whose errors become answers.
  func on(_ method: String, _ pattern: String, in router: inout Router, _ work: @escaping Work) {
    router.on(method, pattern) { request in
      let language = request.language
      do {
        return try await work(request, language)
      } catch {
        return ErrorResponse(error).response(language)
      }
    }
  }

  private static func answer(_ miss: Router.Miss, _ request: Request) -> Response {
    switch miss {
    case .notFound:
      return ErrorResponse(Refusal.notFound(Phrase(en: "address", fr: "adresse")))
        .response(request.language)
    case .methodNotAllowed(let methods):
      let refusal = Refusal(
        405, .invalidInput,
        Phrase(
          en: "\(request.method) is not possible here", fr: "\(request.method) est impossible ici"))
      var response = ErrorResponse(refusal).response(request.language)
      response.headers.append((name: "Allow", value: methods.joined(separator: ", ")))
      return response
    }
  }
}

extension Request {
  var language: Language { Language(preference: headers["accept-language"] ?? "") }

  /// The chip id in the path.
  func chip() throws(Refusal) -> SensorID {
    guard let chip = SensorID(parameters["chip"] ?? "") else { throw .badChip }
    return chip
  }

  /// The UUID in the path; whatever is none names nothing.
  func id(of what: Phrase) throws(Refusal) -> UUID {
    guard let id = UUID(uuidString: parameters["id"] ?? "") else { throw .notFound(what) }
    return id
  }

  /// The body as JSON; an empty one as `{}`.
  func json<Value: Decodable>(_ type: Value.Type = Value.self) throws(Refusal) -> Value {
    do {
      return try API.decode(type, from: body.isEmpty ? Array("{}".utf8) : body)
    } catch {
      throw .badBody(error)
    }
  }

  /// A whole number of the query within `range`.
  func number(_ name: String, in range: ClosedRange<Int>, else fallback: Int) throws(Refusal) -> Int
  {
    guard let text = query[name] else { return fallback }
    guard let number = Int(text), range.contains(number) else {
      throw .badQuery(
        name,
        Phrase(
          en: "\(range.lowerBound) to \(range.upperBound)",
          fr: "\(range.lowerBound) à \(range.upperBound)"))
    }
    return number
  }

  func moment(_ name: String) throws(Refusal) -> Timestamp? {
    guard let text = query[name] else { return nil }
    guard let moment = Timestamp(text) else {
      throw .badQuery(
        name,
        Phrase(
          en: "a date and time such as 2026-11-30T07:00:00Z",
          fr: "une date et une heure comme 2026-11-30T07:00:00Z"))
    }
    return moment
  }

  func sensorFilter() throws(Refusal) -> SensorID? {
    guard let text = query["sensor"] else { return nil }
    guard let chip = SensorID(text) else { throw .badChip }
    return chip
  }
}

extension Response {
  static func encoded(_ value: some Encodable, status: Int = 200) throws -> Response {
    .json(try API.encode(value), status: status)
  }
}
