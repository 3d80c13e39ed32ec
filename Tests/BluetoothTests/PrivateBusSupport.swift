import Simulator

/// Runs `body` beside a bus of its own and stops the bus afterwards.
func withPrivateBus(
  policy: PrivateBus.Policy = .open, _ body: (PrivateBus) async throws -> Void
) async throws {
  let bus = try PrivateBus(policy: policy)
  try await bus.start()
  do {
    try await body(bus)
  } catch {
    await bus.stop()
    throw error
  }
  await bus.stop()
}
