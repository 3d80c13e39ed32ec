import Crypto
import Domain
import Host
import Services
import Storage
import Texts

extension Endpoints {
  func addBackendRoutes(to router: inout Router) {
    on("GET", "/backend", in: &router) { _, _ in try .encoded(try await destination()) }
    on("PUT", "/backend", in: &router) { request, _ in
      let body: API.Destination = try request.json()
      if let secret = body.secret, !(16...256).contains(secret.utf8.count) {
        throw Refusal(
          400, .invalidInput,
          Phrase(
            en: "“secret” must have 16 to 256 bytes",
            fr: "« secret » doit compter 16 à 256 "
              + "octets"))
      }
      let new = try Destination(url: body.url, secret: body.secret.map { Secret($0) })
      try judgeURL(new.url)
      let key = sealKey
      try await database.write { connection in
        let kept = new.secret == nil ? try Destination.load(from: connection, key)?.secret : nil
        try (kept.map { try Destination(url: new.url, secret: $0) } ?? new)
          .save(to: connection, key)
      }
      outboxBell.ring()
      return try .encoded(try await destination())
    }
    on("DELETE", "/backend", in: &router) { _, _ in
      try await database.write { connection in
        try Destination.clear(in: connection)
      }
      outboxBell.ring()
      return .noContent
    }
    on("POST", "/backend/retry", in: &router) { _, _ in
      let moment = now()
      try await database.write { connection in
        let outbox = OutboxStore(connection)
        for message in try outbox.parked(limit: .max) {
          _ = try outbox.unpark(message.id, at: moment)
        }
      }
      outboxBell.ring()
      return try .encoded(try await destination())
    }
  }

  private func destination() async throws(Fault) -> API.Backend {
    try await database.read { connection in
      let settings = SettingStore(connection)
      let counts = try OutboxStore(connection).counts()
      return API.Backend(
        url: try settings.value(.destinationURL),
        hasSecret: try settings.value(.destinationSecret, as: [UInt8].self) != nil,
        waiting: counts.waiting, parked: counts.parked,
        oldestAt: API.Moment(counts.oldestWaiting))
    }
  }
}
