import Bluetooth
import Domain
import TestSupport
import Testing

@Suite("A scan", .timeLimit(.minutes(1)))
struct ScanTests {
  @Test("sets its own filter and reports each hearing of a sensor")
  func hears() async throws {
    try await withBench { bench in
      var sightings = try await bench.radio.sightings().makeAsyncIterator()
      await bench.bluez.called("StartDiscovery")
      let filter = await bench.bluez.calls.last { $0.member == "SetDiscoveryFilter" }
      #expect(
        filter?.body == [
          .properties([
            "Transport": .string("le"), "RSSI": .int16(-127), "DuplicateData": .boolean(true),
            "Pattern": .string("SOUND-SENSOR-"),
          ])
        ])

      try await bench.bluez.advertise()
      let first = try #require(try await sightings.next())
      #expect(first.address.text == Air.address)
      #expect(first.name == AdvertisedName(Air.name))
      #expect(first.rssi == -60)
      #expect(first.at == Timestamp(seconds: 1_000))
      try await bench.bluez.advertise(Air.device, ["RSSI": .int16(-61)])
      #expect(try await sightings.next()?.rssi == -61)
      // An RSSI that is withdrawn is no hearing, and takes nothing away.
      try await bench.bluez.set(
        Air.device, ScriptedBlueZ.deviceInterface, [:], withdrawn: ["RSSI"])
      try await bench.bluez.advertise(Air.device, ["RSSI": .int16(-62)])
      #expect(try await sightings.next()?.rssi == -62)
    }
  }

  @Test("listens for every kind of sensor when told so, without a pattern")
  func everyKind() async throws {
    try await withBench(Setup(kind: nil)) { bench in
      var sightings = try await bench.radio.sightings().makeAsyncIterator()
      await bench.bluez.called("StartDiscovery")
      let filter = await bench.bluez.calls.last { $0.member == "SetDiscoveryFilter" }
      #expect(filter?.body.first?.table?["Pattern"] == nil)
      try await bench.bluez.advertise(
        Air.device, Air.properties(name: "PRESENCE-SENSOR-0123456789AB"))
      #expect(try await sightings.next()?.name.kind == SensorKind(prefix: "PRESENCE"))
    }
  }

  /// B01: "StartDiscovery InProgress backs off (1, 2, 4 … 60 s), never faster than 1/s, never exits;
  /// status says scanning is blocked by the Bluetooth service; recovers by itself on the sixth try."
  @Test("B01: backs off while BlueZ says InProgress, says so, and recovers by itself")
  func inProgress() async throws {
    try await withBench { bench in
      await bench.bluez.on("StartDiscovery", times: 5) { bluez, call in
        try await bluez.refuse(call, "org.bluez.Error.InProgress", "Operation already in progress")
      }
      var sightings = try await bench.radio.sightings().makeAsyncIterator()
      for (index, pause) in [1, 2, 4, 8, 16].enumerated() {
        await bench.clock.sleeper(dueIn: .seconds(pause))
        #expect(await bench.bluez.count("StartDiscovery") == index + 1)
        #expect(await bench.condition() == .scanRefused)
        bench.clock.advance(by: .seconds(pause))
      }
      await bench.bluez.called("StartDiscovery", times: 6)
      try await bench.bluez.advertise()
      #expect(try await sightings.next() != nil)
      await bench.becomes(nil)
    }
  }

  /// B01: "StopDiscovery InProgress/NotReady counts as stopped."
  @Test(
    "B01: takes a refused StopDiscovery for stopped",
    arguments: ["org.bluez.Error.InProgress", "org.bluez.Error.NotReady"])
  func stopRefused(error: String) async throws {
    try await withBench { bench in
      await bench.bluez.on("StopDiscovery") { bluez, call in try await bluez.refuse(call, error) }
      try await scanOnce(bench)
      await bench.bluez.called("StopDiscovery")
      try await scanOnce(bench)
      #expect(await bench.bluez.count("StartDiscovery") == 2)
    }
  }

  /// One reader that leaves after one sighting.
  private func scanOnce(_ bench: Bench) async throws {
    let started = await bench.bluez.count("StartDiscovery")
    let sightings = try await bench.radio.sightings()
    await bench.bluez.called("StartDiscovery", times: started + 1)
    try await bench.bluez.advertise()
    for try await _ in sightings { break }
  }

  @Test("goes on until the last of its readers has left")
  func severalReaders() async throws {
    try await withBench { bench in
      let first = try await bench.radio.sightings()
      var second = try await bench.radio.sightings().makeAsyncIterator()
      await bench.bluez.called("StartDiscovery")
      try await bench.bluez.advertise()
      for try await _ in first { break }
      _ = try await second.next()
      try await bench.bluez.advertise(Air.device, ["RSSI": .int16(-61)])
      _ = try await second.next()
      #expect(await bench.bluez.count("StopDiscovery") == 0)
      #expect(await bench.bluez.count("StartDiscovery") == 1)
    }
  }

  /// B10: "always set our own filter (LE transport) and start our own session even if `Discovering`
  /// is already true; match the name ourselves; … restart discovery when it stops under us".
  @Test("B10: starts its own session beside another's, and again when it stops under us")
  func sharedAdapter() async throws {
    try await withBench(
      Setup(prepare: { bluez in
        try await bluez.showAdapter(isDiscovering: true)
        try await bluez.appear()
      })
    ) { bench in
      var sightings = try await bench.radio.sightings().makeAsyncIterator()
      await bench.bluez.called("StartDiscovery")
      for number in 0..<500 {
        let tail = "\(number / 100)\(number / 10 % 10):\(number % 10)0"
        try await bench.bluez.add(
          "\(Air.adapter)/dev_\(number)", ScriptedBlueZ.deviceInterface,
          Air.properties("10:20:30:40:\(tail)", name: "Headphones \(number)"))
      }
      try await bench.bluez.advertise()
      #expect(try await sightings.next()?.address.text == Air.address)

      try await bench.bluez.set(
        Air.adapter, ScriptedBlueZ.adapterInterface, ["Discovering": .boolean(false)])
      await bench.clock.sleeper(dueIn: .seconds(1))
      bench.clock.advance(by: .seconds(1))
      await bench.bluez.called("StartDiscovery", times: 2)
      #expect(await bench.bluez.count("SetDiscoveryFilter") == 2)
      try await bench.bluez.advertise(Air.device, ["RSSI": .int16(-40)])
      #expect(try await sightings.next()?.rssi == -40)
    }
  }

  @Test("starts discovery again after 90 s without a word")
  func silence() async throws {
    try await withBench { bench in
      let sightings = try await bench.radio.sightings()
      await bench.clock.sleeper(dueIn: .seconds(90))
      bench.clock.advance(by: .seconds(90))
      await bench.clock.sleeper(dueIn: .seconds(1))
      #expect(await bench.bluez.count("StopDiscovery") == 1)
      bench.clock.advance(by: .seconds(1))
      await bench.bluez.called("StartDiscovery", times: 2)
      withExtendedLifetime(sightings) {}
    }
  }

  /// B11: "one entry per address, appears when the name arrives; cached object without a sighting in
  /// this scan is not \"nearby\"".
  @Test("B11: sees a sensor when its name arrives, and no cached ghost")
  func lateName() async throws {
    let ghost = "/org/bluez/hci0/dev_AA_BB_CC_00_00_99"
    try await withBench(
      Setup(prepare: { bluez in
        try await showPoweredAdapter(bluez)
        try await bluez.advertise(
          ghost, Air.properties("AA:BB:CC:00:00:99", name: "SOUND-SENSOR-FFFFFFFFFFFF", rssi: nil))
      })
    ) { bench in
      var sightings = try await bench.radio.sightings().makeAsyncIterator()
      try await bench.bluez.advertise(
        Air.device, ["Address": .string(Air.address), "Alias": .string("AA-BB-CC-00-00-01")])
      try await bench.bluez.advertise(Air.device, ["Name": .string(Air.name)])
      let first = try #require(try await sightings.next())
      #expect(first.address.text == Air.address)
      #expect(first.name.description == Air.name)
      try await bench.bluez.advertise(Air.device, ["RSSI": .int16(-50)])
      let second = try #require(try await sightings.next())
      #expect(second.address == first.address)
      #expect(second.rssi == -50)
    }
  }

  /// B12: "two equal names stay two rows, told apart by address."
  @Test("B12: tells two sensors of one name apart by their address")
  func sameName() async throws {
    try await withBench { bench in
      var sightings = try await bench.radio.sightings().makeAsyncIterator()
      try await bench.bluez.advertise()
      try await bench.bluez.advertise(
        "/org/bluez/hci0/dev_AA_BB_CC_00_00_02", Air.properties("AA:BB:CC:00:00:02"))
      let addresses = [try await sightings.next()?.address, try await sightings.next()?.address]
      #expect(addresses.map { $0?.text } == [Air.address, "AA:BB:CC:00:00:02"])
    }
  }

  /// B13: "exact, case-sensitive prefix plus non-empty suffix; … process alive after all of them."
  @Test("B13: is not misled by odd names")
  func oddNames() async throws {
    let names = [
      "SOUND-SENS", "sound-sensor-0123456789AB", "SOUND-SENSOR-", "SOUND-SENSOR-0123456789ab",
      "SOUND-SENSOR-0123456789ABC", String(repeating: "S", count: 248),
      "SOUND-SENSOR-\u{FFFD}", "SOUND-SENSOR-0123456789AB\n", "\u{1B}[31mSOUND-SENSOR-1",
      "SOUND-SENSOR-<script>", "", "-SENSOR-0123456789AB",
    ]
    try await withBench { bench in
      var sightings = try await bench.radio.sightings().makeAsyncIterator()
      for (index, name) in names.enumerated() {
        let tail = index < 10 ? "0\(index)" : "\(index)"
        try await bench.bluez.advertise(
          "\(Air.adapter)/dev_00_00_00_00_00_\(tail)",
          Air.properties("00:00:00:00:00:\(tail)", name: name))
      }
      try await bench.bluez.advertise()
      #expect(try await sightings.next()?.address.text == Air.address)
    }
  }
}
