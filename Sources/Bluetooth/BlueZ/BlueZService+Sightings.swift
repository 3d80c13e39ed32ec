import Domain

/// One reader of the advertisements on one adapter.
struct SightingReader {
  let adapter: BlueZSnapshot.AdapterInUse
  let kind: SensorKind?
  let now: WallClock
  let continuation: AsyncThrowingStream<Sighting, any Error>.Continuation
}

extension BlueZService {
  /// The advertisements heard from now on. The adapter discovers for as long as somebody reads.
  func sightings(
    on adapter: BlueZSnapshot.AdapterInUse, kind: SensorKind?, now: @escaping WallClock
  ) -> AsyncThrowingStream<Sighting, any Error> {
    let (stream, continuation) = AsyncThrowingStream.makeStream(
      of: Sighting.self, throwing: (any Error).self, bufferingPolicy: .bufferingNewest(256))
    let number = nextNumber()
    continuation.onTermination = { [weak self] _ in
      self?.later { $0.removeReader(number) }
    }
    readers[number] = SightingReader(
      adapter: adapter, kind: kind, now: now, continuation: continuation)
    update { $0.demand += 1 }
    return stream
  }

  private func removeReader(_ number: Int) {
    guard readers.removeValue(forKey: number) != nil else { return }
    update { $0.demand -= 1 }
  }

  func hear(_ device: ObjectTree.DeviceFacts) {
    update { $0.hearings += 1 }
    guard let name = device.name else { return }
    for reader in readers.values where device.path.hasPrefix(reader.adapter.path + "/") {
      guard reader.kind == nil || reader.kind == name.kind else { continue }
      reader.continuation.yield(
        Sighting(address: device.address, name: name, rssi: device.rssi, at: reader.now()))
    }
  }

  /// A reader whose adapter is gone is told why.
  func endLostReaders() {
    for reader in readers.values {
      if let loss = snapshot.loss(of: reader.adapter) {
        reader.continuation.finish(throwing: loss)
      }
    }
  }

  /// Keeps a device in the mirror whatever its name, and the adapter discovering, until `release`.
  func hold(_ address: BluetoothAddress) {
    update {
      $0.tree.pinned.insert(address)
      $0.demand += 1
    }
  }

  func release(_ address: BluetoothAddress) {
    update {
      $0.tree.pinned.remove(address)
      $0.demand -= 1
    }
  }
}

extension BlueZService {
  /// Takes one of the links the adapter may hold at once; false when all are taken, or one to this
  /// address.
  func takeLink(to address: BluetoothAddress, of limit: Int) -> Bool {
    guard snapshot.linked.count < limit, !snapshot.linked.contains(address) else { return false }
    update { $0.linked.insert(address) }
    return true
  }

  func returnLink(to address: BluetoothAddress) {
    update { $0.linked.remove(address) }
  }
}
