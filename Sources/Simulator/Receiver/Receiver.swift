import Dispatch
import Domain
import Glibc
import Host

/// A backend on 127.0.0.1 that keeps what it is sent and answers as it was told to.
///
/// It judges nothing itself: whether a signature is good is for its user to say.
package actor Receiver {
  /// What a request is answered with.
  package enum Answer: Sendable {
    case status(Int, headers: [(name: String, value: String)] = [], body: String = "")
    /// Closes the connection without a word.
    case hangUp
    /// Never answers.
    case stall
  }

  private let executor = QueueExecutor(label: "receiver")
  /// `http://127.0.0.1:<port>`.
  package nonisolated let url: String
  /// Every request, as it comes; for one reader.
  package nonisolated let arrivals: AsyncStream<ReceivedRequest>
  package private(set) var requests: [ReceivedRequest] = []

  private let arrived: AsyncStream<ReceivedRequest>.Continuation
  private var script: [Answer] = []
  private var usual: Answer
  private var listener: Socket?
  private var connections: [Int: Connection] = [:]
  private var nextConnection = 0

  package nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  /// - Parameters:
  ///   - script: the answers to the first requests, in order.
  ///   - usual: the answer to every later one.
  ///   - port: 0 for one that is free.
  package init(
    _ script: [Answer] = [], then usual: Answer = .status(200), port: UInt16 = 0
  ) throws(FileError) {
    self.script = script
    self.usual = usual
    let socket = try Socket(listeningOn: port)
    url = "http://127.0.0.1:\(socket.port)"
    listener = socket
    (arrivals, arrived) = AsyncStream.makeStream(bufferingPolicy: .unbounded)
  }

  /// Takes connections until `stop()`.
  package func start() {
    listener?.watch(on: executor.queue) { [weak self] in
      self?.assumeIsolated { $0.accept() }
    }
  }

  /// Closes the port and every connection; a client then finds nobody there.
  package func stop() {
    listener = nil
    connections = [:]
    arrived.finish()
  }

  /// Replaces the answers that are still to come.
  package func answer(_ script: [Answer], then usual: Answer = .status(200)) {
    self.script = script
    self.usual = usual
  }

  private func accept() {
    while let socket = listener?.accept() {
      nextConnection += 1
      let number = nextConnection
      socket.watch(on: executor.queue) { [weak self] in
        self?.assumeIsolated { $0.read(number) }
      }
      connections[number] = Connection(socket: socket)
    }
  }

  private func read(_ number: Int) {
    guard let connection = connections[number] else { return }
    guard let bytes = connection.socket.read() else {
      connections[number] = nil
      return
    }
    connection.parser.take(bytes)
    while let request = connection.parser.next() {
      requests.append(request)
      arrived.yield(request)
      guard answer(on: connection) else {
        connections[number] = nil
        return
      }
    }
  }

  /// False when the connection is to be closed.
  private func answer(on connection: Connection) -> Bool {
    switch script.isEmpty ? usual : script.removeFirst() {
    case .status(let status, let headers, let body):
      var text = "HTTP/1.1 \(status) Told\r\nContent-Length: \(body.utf8.count)\r\n"
      for (name, value) in headers { text += "\(name): \(value)\r\n" }
      return connection.socket.write(Array("\(text)\r\n\(body)".utf8))
    case .hangUp: return false
    case .stall: return true
    }
  }

  private final class Connection {
    let socket: Socket
    var parser = RequestParser()

    init(socket: Socket) { self.socket = socket }
  }
}
