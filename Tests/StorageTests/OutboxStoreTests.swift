import Domain
import Foundation
import Storage
import TestSupport
import Testing

@Suite("The outbox in the store")
struct OutboxStoreTests {
  let store: TemporaryDatabase

  init() throws { store = try TemporaryDatabase() }

  private func append(_ messages: [OutboxMessage]) async throws {
    try await store.write { connection in
      for message in messages { try OutboxStore(connection).append(message) }
    }
  }

  private func due(after seconds: Int, limit: Int = 100) async throws -> [UUID] {
    try await store.read {
      try OutboxStore($0).due(at: Sample.start + .seconds(seconds), limit: limit).map(\.id)
    }
  }

  @Test("gives the messages whose turn has come, oldest first, byte for byte as they were put in")
  func order() async throws {
    let messages = (0..<4).map { Sample.message(createdAt: Sample.start + .seconds($0)) }
    try await append(messages.reversed())
    #expect(try await due(after: 2) == messages[...2].map(\.id))
    #expect(try await due(after: 9, limit: 2) == messages[..<2].map(\.id))
    let found = try await store.read { try OutboxStore($0).due(at: Sample.start, limit: 1) }
    #expect(found == [messages[0]])
    #expect(try await store.read { try OutboxStore($0).nextAttempt() } == Sample.start)
  }

  @Test("takes no second message with the same id")
  func unique() async throws {
    let message = Sample.message()
    try await append([message])
    await #expect(throws: Fault.self) { try await append([message]) }
    #expect(try await store.read { try OutboxStore($0).counts().waiting } == 1)
  }

  @Test("forgets what was delivered, and puts off what was not")
  func attempts() async throws {
    let messages = (0..<2).map { _ in Sample.message() }
    try await append(messages)
    let later = Sample.start + .seconds(30)
    let found = try await store.write { connection in
      let outbox = OutboxStore(connection)
      try outbox.delivered(messages[0].id)
      try outbox.reschedule(messages[1].id, at: later)
      return (try outbox.find(messages[0].id), try outbox.find(messages[1].id))
    }
    #expect(found.0 == nil)
    #expect(found.1?.attempts == 1 && found.1?.nextAttempt == later)
    #expect(found.1?.body == messages[1].body)
    #expect(try await due(after: 29).isEmpty)
  }

  @Test("N03: goes on without a parked message, until that is taken back in")
  func parking() async throws {
    // "4xx (not 408/429) parked and the queue goes on"
    let messages = (0..<2).map { Sample.message(createdAt: Sample.start + .seconds($0)) }
    let fault = Fault(.backendRefused, "422")
    try await append(messages)
    try await store.write { try OutboxStore($0).park(messages[0].id, because: fault) }
    #expect(try await due(after: 9) == [messages[1].id])
    #expect(try await store.read { try OutboxStore($0).parked().map(\.parked) } == [fault])
    let counts = try await store.read { try OutboxStore($0).counts() }
    #expect(
      counts.waiting == 1 && counts.parked == 1 && counts.oldestWaiting == messages[1].createdAt)
    let (first, second) = try await store.write { connection in
      let outbox = OutboxStore(connection)
      let now = Sample.start + .seconds(5)
      return (
        try outbox.unpark(messages[0].id, at: now), try outbox.unpark(messages[0].id, at: now)
      )
    }
    #expect(first && !second)
    #expect(try await due(after: 9) == [messages[1].id, messages[0].id])
  }

  @Test("gives up what is too old and names it; the parked have a time of their own")
  func dropping() async throws {
    let messages = (0..<3).map { Sample.message(createdAt: Sample.start + .seconds($0)) }
    try await append(messages)
    try await store.write {
      try OutboxStore($0).park(messages[0].id, because: Fault(.backendRefused))
    }
    let limit = Sample.start + .seconds(2)
    let dropped = try await store.write { try OutboxStore($0).dropOlder(than: limit) }
    #expect(dropped == [messages[1].id])
    let deleted = try await store.write { try OutboxStore($0).deleteParked(before: limit) }
    #expect(deleted == 1)
    #expect(try await store.read { try OutboxStore($0).counts().waiting } == 1)
  }
}
