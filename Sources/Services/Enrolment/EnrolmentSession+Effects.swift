import Domain
import FoundationEssentials
import Host

extension EnrolmentSession {
  /// Begins what a transition asks for; what takes time goes on by itself and answers with events.
  func perform(_ effects: [Enrolment.Effect]) async {
    for effect in effects {
      switch effect {
      case .scan: await scan()
      case .connect(let peripheral): connect(to: peripheral)
      case .writeWiFi(let credentials): writeWiFi(credentials)
      case .saveNetwork: await saveNetwork()
      case .openAccount: openAccount()
      case .writeMQTT: await writeMQTT()
      case .keepAccount: keepAccount()
      case .deleteAccount(let user): deleteAccount(user)
      case .register:
        if let peripheral = machine.progress.peripheral {
          await context.unclaimed.forget([peripheral.sensor])
        }
      case .disconnect(let delay): await disconnect(after: delay)
      case .setDeadline(let deadline, let time): setTimer(deadline, remaining(of: time, deadline))
      case .clearDeadline: clearTimer()
      }
    }
  }

  /// Ends what belonged to the state before.
  func leave(_ old: Enrolment.State) async {
    if case .scanning = old, machine.step != .chooseSensor || machine.progress.hasEnded {
      scanWatch?.cancel()
      scanWatch = nil
      await scanner.release(id)
    }
    if machine.step != .receiveReading || machine.progress.hasEnded || machine.state == .heard {
      stopWatchingForProof()
    }
  }

  /// A parked enrolment does not gain a day by a restart.
  private func remaining(of time: Duration, _ deadline: Enrolment.Deadline) -> Duration {
    guard deadline == .parked else { return time }
    return max(.zero, time - (context.now() - record.updatedAt))
  }

  func blame(for deadline: Enrolment.Deadline) async -> Fault? {
    switch deadline {
    case .scan:
      let snapshot = await scanner.snapshot
      return snapshot.entries.isEmpty ? snapshot.fault ?? Fault(.notSeen) : nil
    case .firstReading: return proof?.blame
    case .connect, .wifi, .attention, .parked: return nil
    }
  }

  private func scan() async {
    scanWatch?.cancel()
    let changes = await scanner.follow()
    scanWatch = Task {
      for await snapshot in changes {
        if let fault = snapshot.fault { post(.scanFailed(fault)) }
      }
    }
    await scanner.hold(id, for: context.deadlines.scan)
    if let fault = await scanner.snapshot.fault { post(.scanFailed(fault)) }
  }

  private func saveNetwork() async {
    defer { network = nil }
    guard let network, network.remember else { return }
    do {
      try await context.save(network.credentials)
    } catch {
      log.warning("the network was not saved", ["enrolment": id, "fault": error])
    }
  }
}
