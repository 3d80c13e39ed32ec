import Bluetooth
import Domain
import Simulator
import TestSupport
import Testing

@Suite("After a loss the radio", .timeLimit(.minutes(1)))
struct HealingTests {
  /// A scan and a link, both under way.
  private func begin(
    _ bench: Bench
  ) async throws -> (AsyncThrowingStream<Sighting, any Error>, any Link) {
    try await bench.bluez.advertise()
    return (try await bench.radio.sightings(), try await bench.connect())
  }

  private func ending(_ sightings: AsyncThrowingStream<Sighting, any Error>) async -> Code? {
    do {
      for try await _ in sightings {}
      return nil
    } catch {
      return (error as? Fault)?.code
    }
  }

  /// B08: "losing the adapter clears its devices and fails a running provisioning at once; scanning
  /// resumes ≤10 s after it returns".
  @Test("B08: goes on with the adapter when it returns under another number")
  func adapterReturns() async throws {
    try await withBench(Setup(adapter: BluetoothAddress(Air.adapterAddress))) { bench in
      let (sightings, link) = try await begin(bench)
      // Nothing is said of the adapter's children.
      try await bench.bluez.removeAll(under: Air.adapter + "/", silently: true)
      try await bench.bluez.remove(Air.adapter)
      #expect(await ending(sightings) == .adapterLost)
      #expect(await link.closed()?.code == .adapterLost)
      await bench.becomes(.adapterAbsent)

      let started = await bench.bluez.count("StartDiscovery")
      try await bench.bluez.showAdapter("/org/bluez/hci1")
      await bench.becomes(nil)
      var again = try await bench.radio.sightings().makeAsyncIterator()
      await bench.bluez.called("StartDiscovery", times: started + 1)
      try await bench.bluez.advertise(
        "/org/bluez/hci1/dev_AA_BB_CC_00_00_01", Air.properties())
      #expect(try await again.next()?.address.text == Air.address)
    }
  }

  /// B08: "Variant: a second adapter was there all along."
  @Test("B08: takes the other adapter when none is configured")
  func otherAdapter() async throws {
    try await withBench(
      Setup(prepare: { bluez in
        try await bluez.showAdapter("/org/bluez/hci1", address: "00:00:00:00:00:0B")
        try await showPoweredAdapter(bluez)
      })
    ) { bench in
      let sightings = try await bench.radio.sightings()
      try await bench.bluez.remove(Air.adapter)
      #expect(await ending(sightings) == .adapterLost)
      let address = try bench.address("00:00:00:00:00:0B")
      #expect(await bench.radio.condition() == .ready(adapter: "hci1", address: address))
    }
  }

  @Test("of the adapter's power says so")
  func poweredOff() async throws {
    try await withBench { bench in
      let (sightings, link) = try await begin(bench)
      try await bench.bluez.set(
        Air.adapter, ScriptedBlueZ.adapterInterface, ["Powered": .boolean(false)])
      #expect(await ending(sightings) == .adapterOff)
      #expect(await link.closed()?.code == .adapterOff)
    }
  }

  /// B09: "treat every old session, device and subscription as gone; re-read all objects, set the
  /// filter and start discovery again; running provisioning ends with \"Bluetooth service
  /// restarted\"."
  @Test("B09: begins anew when bluetoothd restarts")
  func bluetoothdRestarts() async throws {
    try await withBench { bench in
      let (sightings, link) = try await begin(bench)
      try await bench.bluez.disappear()
      #expect(await ending(sightings) == .bluetoothdRestarted)
      #expect(await link.closed()?.code == .bluetoothdRestarted)
      await bench.becomes(.bluetoothdAbsent)

      let before = await bench.bluez.calls.count
      let started = await bench.bluez.count("StartDiscovery")
      try await bench.bluez.removeAll(under: Air.adapter + "/", silently: true)
      try await bench.bluez.remove(Air.adapter, silently: true)
      try await bench.bluez.appear()
      await bench.becomes(.adapterAbsent)
      try await bench.bluez.showAdapter()
      await bench.becomes(nil)
      var again = try await bench.radio.sightings().makeAsyncIterator()
      await bench.bluez.called("StartDiscovery", times: started + 1)
      try await bench.bluez.advertise()
      #expect(try await again.next() != nil)
      let members = await bench.bluez.calls.dropFirst(before).map(\.member)
      #expect(members.contains("GetManagedObjects"))
      #expect(members.contains("SetDiscoveryFilter"))
      #expect(members.contains("StartDiscovery"))
    }
  }

  @Test("B09: misses nothing that is said while it reads what there is")
  func saidMeanwhile() async throws {
    try await withBench(
      Setup(prepare: { bluez in
        await bluez.on("GetManagedObjects") { bluez, call in
          try await bluez.answer(call, [bluez.managedObjects()])
          try await bluez.showAdapter()
        }
        try await bluez.appear()
      })
    ) { bench in
      await bench.becomes(nil)
    }
  }

  @Test("B09: fails a link that is being opened when bluetoothd restarts")
  func restartWhileConnecting() async throws {
    try await withBench { bench in
      try await bench.bluez.advertise()
      await bench.bluez.on("Connect") { bluez, call in
        try await bluez.disappear()
        try await bluez.refuse(call, "org.freedesktop.DBus.Error.NoReply", "it went away")
      }
      #expect(try await bench.refusedConnect().code == .bluetoothdRestarted)
    }
  }

  /// B14: "Bus lost: reconnect, …; libdbus's exit-on-disconnect must not kill us".
  @Test("B14: connects to the bus again when it returns")
  func busReturns() async throws {
    try await withBench { bench in
      let (sightings, link) = try await begin(bench)
      await bench.bus.kill()
      #expect(await ending(sightings) == .busUnreachable)
      #expect(await link.closed()?.code == .busUnreachable)
      await bench.becomes(.busUnreachable)

      try await bench.bus.start()
      let bluez = try await ScriptedBlueZ.start(on: bench.bus.address)
      try await showPoweredAdapter(bluez)
      await bench.clock.sleepers(atLeast: 1)
      bench.clock.advance(by: .seconds(30))
      await bench.becomes(nil)
      try await bluez.advertise()
      await (try bench.connect()).disconnect()
      await bluez.stop()
    }
  }

  @Test("when told to end, ends its links first")
  func ends() async throws {
    try await withBench { bench in
      try await bench.bluez.advertise()
      let link = try await bench.connect()
      bench.running.cancel()
      await bench.running.value
      #expect(await bench.bluez.count("Disconnect") == 1)
      #expect(await link.closed() == nil)
    }
  }
}
