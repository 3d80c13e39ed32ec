import Domain
import FoundationEssentials
import Storage

/// The gateway's own id: a UUID, made once and kept in the database.
enum GatewayIdentity {
  static func load(from database: Database) async throws(Fault) -> String {
    let fresh = UUID().lowercaseText
    return try await database.write { connection in
      let settings = SettingStore(connection)
      if let known: String = try settings.value(.gatewayID) { return known }
      try settings.set(.gatewayID, to: fresh)
      return fresh
    }
  }
}
