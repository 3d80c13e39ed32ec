import Domain

/// A backend in memory: answers as it is told, and keeps what was posted.
package actor FakeCourier: Courier {
  package enum Answer: Sendable {
    case status(Int, headers: [String: String] = [:])
    case fault(Fault)
  }

  private let answer: @Sendable (CourierRequest) -> Answer
  private var scripted: [Answer] = []
  private var waiters: [(count: Int, CheckedContinuation<Void, Never>)] = []
  package private(set) var requests: [CourierRequest] = []

  /// - Parameter answer: what is answered when nothing is scripted.
  package init(answer: @escaping @Sendable (CourierRequest) -> Answer = { _ in .status(200) }) {
    self.answer = answer
  }

  /// Answers the next requests so, in order.
  package func script(_ answers: Answer...) { scripted += answers }

  package func send(_ request: CourierRequest) async throws(Fault) -> CourierResponse {
    requests.append(request)
    let due = waiters.filter { $0.count <= requests.count }
    waiters.removeAll { $0.count <= requests.count }
    for (_, continuation) in due { continuation.resume() }
    switch scripted.isEmpty ? answer(request) : scripted.removeFirst() {
    case .status(let status, let headers): return CourierResponse(status: status, headers: headers)
    case .fault(let fault): throw fault
    }
  }

  /// Returns once so many requests have come in all.
  package func received(_ count: Int) async {
    guard requests.count < count else { return }
    await withCheckedContinuation { waiters.append((count, $0)) }
  }
}

extension CourierRequest {
  /// The value of a header; nil when it is not there.
  package func header(_ name: String) -> String? { headers.first { $0.name == name }?.value }
}
