import Domain

extension EnrolmentSession {
  /// The enrolment as it stands.
  var view: EnrolmentView {
    let closes = windowOpenedAt.map { $0 + context.deadlines.window }
    return EnrolmentView(
      record: record, machine: machine, isOnline: saysOnline, attempt: attempt, timer: timer,
      waysBack: machine.state.complaint?.code == .alreadyOnline ? waysBack : [],
      windowClosesAt: machine.state.usesLink ? closes : nil, at: context.now())
  }

  /// The sensor wanted is online, so that its radio is off.
  func tellOnline(_ sensor: SensorID, _ ways: [WayBack]) {
    waysBack = ways
    post(.scanFailed(Fault(.alreadyOnline, sensor.text)))
  }

  /// The view now and at each change, until the enrolment has ended.
  func follow() -> AsyncStream<EnrolmentView> {
    let changes = views.stream()
    let (stream, continuation) = AsyncStream.makeStream(
      of: EnrolmentView.self, bufferingPolicy: .bufferingNewest(16))
    let current = view
    let pump = Task {
      continuation.yield(current)
      guard !current.hasEnded else { return continuation.finish() }
      for await change in changes {
        continuation.yield(change)
        if change.hasEnded { break }
      }
      continuation.finish()
    }
    continuation.onTermination = { _ in pump.cancel() }
    return stream
  }
}

extension EnrolmentView {
  init(
    record: EnrolmentRecord, machine: Enrolment, isOnline: Bool = false, attempt: Int? = nil,
    timer: EnrolmentSession.Timer? = nil, waysBack: [WayBack] = [],
    windowClosesAt: Timestamp? = nil, at now: Timestamp
  ) {
    id = record.id
    `operator` = record.operatorName
    createdAt = record.createdAt
    updatedAt = record.updatedAt
    step = machine.step
    isCompleted = machine.progress.isCompleted
    state = machine.state.word
    expects = machine.state.expectation
    sensor = machine.progress.peripheral?.sensor
    address = machine.progress.peripheral?.address
    complaint = machine.state.complaint
    failure = machine.progress.failure
    ip = machine.progress.ip
    mayHoldAccount = machine.progress.mayHoldAccount
    self.attempt = attempt
    self.isOnline = isOnline
    self.waysBack = waysBack
    deadline = timer?.deadline
    deadlineAt = timer?.endsAt
    self.windowClosesAt = windowClosesAt.flatMap { $0 > now ? $0 : nil }
    at = now
  }
}
