import CMosquitto
import Domain
import Glibc

/// One libmosquitto handle, used for one connection and then destroyed.
///
/// A handle that is used again sends what it had queued before; a fresh one starts clean, and what the
/// broker keeps for us hangs on the client id, not on the handle.
struct Session: ~Copyable {
  private let handle: OpaquePointer
  private let inbox: Inbox

  private static let libraryStatus = mosquitto_lib_init()

  private init(_ handle: OpaquePointer, _ inbox: Inbox) {
    self.handle = handle
    self.inbox = inbox
    inbox.receive(from: handle)
  }

  static func new(
    _ settings: ClientSettings, now: @escaping WallClock
  ) throws(Fault) -> Session {
    guard libraryStatus == MOSQ_ERR_SUCCESS.rawValue,
      let handle = mosquitto_new(settings.clientID, !settings.isPersistent, nil)
    else { throw Fault(.internalFault, "libmosquitto gave no handle") }
    let session = Session(handle, Inbox(payloadLimit: settings.payloadLimit, now: now))
    try configure(handle, settings)
    return session
  }

  deinit { mosquitto_destroy(handle) }

  private static func configure(
    _ handle: OpaquePointer, _ settings: ClientSettings
  ) throws(Fault) {
    // Without this, queueing a packet writes at once, and an acknowledgement would leave before the
    // commit.
    try check(mosquitto_threaded_set(handle, true), "threading")
    if let user = settings.user {
      try check(
        mosquitto_username_pw_set(handle, user, settings.password?.reveal()), "account")
    }
    if let presence = settings.presence {
      let will = Array(presence.offline.utf8)
      try check(
        mosquitto_will_set(
          handle, presence.topic, Int32(will.count), will, Int32(presence.qos), true),
        "last will")
    }
    switch settings.tls {
    case nil: break
    case .authority(let file):
      guard mosquitto_tls_set(handle, file, nil, nil, nil, nil) == MOSQ_ERR_SUCCESS.rawValue else {
        throw Fault(.authorityUnreadable, file)
      }
    case .systemAuthorities:
      try check(mosquitto_int_option(handle, MOSQ_OPT_TLS_USE_OS_CERTS, 1), "authorities")
    case .anyCertificate:
      try check(mosquitto_int_option(handle, MOSQ_OPT_TLS_USE_OS_CERTS, 1), "authorities")
      try check(mosquitto_tls_opts_set(handle, 0, nil, nil), "verification")
      try check(mosquitto_tls_insecure_set(handle, true), "verification")
    }
  }

  private static func check(_ status: Int32, _ what: String) throws(Fault) {
    guard status == MOSQ_ERR_SUCCESS.rawValue else {
      throw Fault(.configuration, "\(what): \(words(for: status))")
    }
  }
}

// MARK: - What a handle does

extension Session {
  /// Looks the host up and begins to connect. May block as long as a look-up takes.
  func dial(_ settings: ClientSettings) -> Fault? {
    let keepAlive = Int32(clamping: settings.deadlines.keepAlive.components.seconds)
    errno = 0
    let status = mosquitto_connect_bind_async(
      handle, settings.host, Int32(settings.port), keepAlive, settings.bindAddress)
    let error = errno
    return status == MOSQ_ERR_SUCCESS.rawValue ? nil : fault(for: status, errno: error)
  }

  /// -1 when closed.
  var socket: Int32 { mosquitto_socket(handle) }

  var wantsToWrite: Bool { mosquitto_want_write(handle) }

  /// Reads what is there, at most a few packets at a time.
  func read() -> Fault? {
    errno = 0
    let status = mosquitto_loop_read(handle, 1)
    let error = errno
    return status == MOSQ_ERR_SUCCESS.rawValue ? nil : fault(for: status, errno: error)
  }

  /// Writes everything queued, acknowledgements included.
  func write() -> Fault? {
    errno = 0
    let status = mosquitto_loop_write(handle, 1)
    let error = errno
    return status == MOSQ_ERR_SUCCESS.rawValue ? nil : fault(for: status, errno: error)
  }

  /// Queues a ping when one is due; notices when the last had no answer.
  func keepAlive() -> Fault? {
    let status = mosquitto_loop_misc(handle)
    return status == MOSQ_ERR_SUCCESS.rawValue ? nil : fault(for: status, errno: 0)
  }

  func takeEvents() -> [Inbox.Event] { inbox.takeEvents() }

  /// The last thing TLS complained of.
  var complaint: TLSComplaint? { inbox.complaint }

  /// Queues a publication and answers its packet id.
  func publish(
    _ payload: [UInt8], to topic: String, qos: Int, retained: Bool
  ) throws(Fault) -> Int32 {
    var id: Int32 = 0
    let status = mosquitto_publish(
      handle, &id, topic, Int32(clamping: payload.count), payload, Int32(qos), retained)
    guard status == MOSQ_ERR_SUCCESS.rawValue else {
      throw Fault(.publishFailed, Self.words(for: status))
    }
    return id
  }

  /// Queues a subscription and answers its packet id.
  func subscribe(_ subscription: Subscription) throws(Fault) -> Int32 {
    var id: Int32 = 0
    let status = mosquitto_subscribe(handle, &id, subscription.filter, Int32(subscription.qos))
    guard status == MOSQ_ERR_SUCCESS.rawValue else {
      throw Fault(.subscriptionRefused, "\(subscription.filter): \(Self.words(for: status))")
    }
    return id
  }

  /// Queues our leave-taking; the broker then keeps the last will to itself.
  func disconnect() { mosquitto_disconnect(handle) }
}
