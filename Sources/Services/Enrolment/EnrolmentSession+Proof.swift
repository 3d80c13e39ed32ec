import Domain
import FoundationEssentials
import Host
import Storage

extension EnrolmentSession {
  /// Follows the readings of the sensor, and the broker's log, until the first reading has come.
  ///
  /// - Parameter afterRestart: the log of the time before is lost, and a reading may have come.
  func watchForProof(afterRestart: Bool) async {
    stopWatchingForProof()
    guard let sensor = machine.progress.peripheral?.sensor else { return }
    brokerVerdict = BrokerVerdict(
      sensor: sensor, account: machine.progress.account ?? "", address: machine.progress.ip)
    followsLog = context.accounts.areManaged && !afterRestart
    let readings = await context.feed.subscribe(awaiting: sensor)
    proofWatches.append(
      Task {
        for await stored in readings where stored.reading.sensor == sensor {
          consider(stored.reading)
        }
      })
    if followsLog {
      let events = await context.accounts.log()
      proofWatches.append(
        Task {
          for await event in events { note(event) }
          if !Task.isCancelled { loseLog() }
        })
    }
    if afterRestart, let delivered = machine.progress.deliveredAt {
      makeProof(delivered)
      let latest = try? await context.database.read {
        try ReadingStore($0).latest(sensor, evenIfHidden: true)
      }
      if let latest { consider(latest) }
    }
  }

  func stopWatchingForProof() {
    for task in proofWatches { task.cancel() }
    proofWatches = []
    proof = nil
    brokerVerdict = nil
  }

  /// The four values have been written, or not all of them.
  func delivered(_ acknowledged: Int, _ fault: Fault?) {
    if let fault {
      return post(.mqttWriteFailed(acknowledged: acknowledged, explained(fault)))
    }
    mqtt = nil
    let now = context.now()
    makeProof(now)
    post(.mqttDelivered(at: now))
  }

  private func makeProof(_ delivered: Timestamp) {
    guard let brokerVerdict else { return }
    proof = FirstReadingProof(
      deliveredAt: delivered, settling: context.deadlines.settling, verdict: brokerVerdict,
      followsLog: followsLog)
  }

  private func consider(_ reading: Reading) {
    if proof?.isGiven(by: reading) == true { post(.readingStored) }
  }

  private func note(_ event: BrokerEvent) {
    let wasConnected = brokerVerdict?.isConnected
    brokerVerdict?.observe(event)
    proof?.observe(event, at: context.now())
    if wasConnected == false, brokerVerdict?.isConnected == true {
      log.info("the sensor logged in with its new account", ["enrolment": id])
    }
  }

  private func loseLog() {
    followsLog = false
    proof?.loseLog()
  }
}
