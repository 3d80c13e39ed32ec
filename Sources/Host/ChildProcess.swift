import CLinux
import Dispatch
import Glibc

/// A program started by us: the private bus and broker of the demonstration and of the tests.
package struct ChildProcess: Sendable {
  package let pid: pid_t

  /// The program could not be started; `error` is an `errno`.
  package struct NotStarted: Error, Sendable {
    package let program: String
    package let error: Int32
  }

  /// Starts `program`, looked up in `PATH` and then where daemons lie, `/usr/sbin`, which Debian leaves
  /// out of an ordinary user's `PATH`.
  ///
  /// - Parameters:
  ///   - environment: `NAME=value` lines; nil inherits ours.
  ///   - output: a file descriptor that receives standard output and standard error; nil
  ///     discards both.
  ///   - input: a file descriptor to read from; nil gives an empty input.
  ///
  /// It inherits no other descriptor of ours: a pipe's end that it kept open would never be seen.
  package init(
    _ program: String, _ arguments: [String] = [], environment: [String]? = nil,
    input: Int32? = nil, output: Int32? = nil, errors: Int32? = nil
  ) throws(NotStarted) {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    let null = "/dev/null"
    if let input {
      posix_spawn_file_actions_adddup2(&actions, input, 0)
    } else {
      posix_spawn_file_actions_addopen(&actions, 0, null, O_RDONLY, 0)
    }
    for (stream, target) in [(Int32(1), output), (2, errors ?? output)] {
      if let target {
        posix_spawn_file_actions_adddup2(&actions, target, stream)
      } else {
        posix_spawn_file_actions_addopen(&actions, stream, null, O_WRONLY, 0)
      }
    }
    posix_spawn_file_actions_addclosefrom_np(&actions, 3)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    var all = sigset_t()
    sigfillset(&all)
    posix_spawnattr_setsigdefault(&attributes, &all)
    posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETSIGMASK) | Int16(POSIX_SPAWN_SETSIGDEF))

    let words = CStrings([program] + arguments)
    let inherited = environment.map(CStrings.init)
    var pid: pid_t = 0
    func spawn(_ path: String) -> Int32 {
      words.withPointer { argv in
        if let inherited {
          inherited.withPointer { posix_spawnp(&pid, path, &actions, &attributes, argv, $0) }
        } else {
          posix_spawnp(&pid, path, &actions, &attributes, argv, environ)
        }
      }
    }
    var error = spawn(program)
    if error == ENOENT && !program.contains("/") { error = spawn("/usr/sbin/\(program)") }
    guard error == 0 else { throw NotStarted(program: program, error: error) }
    self.pid = pid
  }

  package func signal(_ number: Int32) {
    kill(pid, number)
  }

  /// Waits for the end, holding no thread; call once. Answers the exit status, or minus the signal
  /// that killed it.
  package func wait() async -> Int32 {
    await ended()
    return reap()
  }

  /// Asks it to end (`SIGTERM`) and waits as `wait()` does. It is asked again every second: Mosquitto
  /// loses a signal that comes between its word that it runs and its main loop.
  package func terminate() async -> Int32 {
    signal(SIGTERM)
    let asking = Task {
      while true {
        try await Task.sleep(for: .seconds(1))
        signal(SIGTERM)
      }
    }
    await ended()
    asking.cancel()
    // Until it is reaped the number is nobody else's.
    _ = await asking.result
    return reap()
  }

  private func ended() async {
    let descriptor = pidfd_open(pid, 0)
    guard descriptor >= 0 else {
      // No descriptor is left: a thread has to do.
      return await Blocking.run {
        var information = siginfo_t()
        while waitid(P_PID, id_t(pid), &information, WEXITED | WNOWAIT) == -1 && errno == EINTR {}
      }
    }
    let source = DispatchSource.makeReadSource(fileDescriptor: descriptor)
    await withCheckedContinuation { continuation in
      source.setEventHandler { source.cancel() }
      source.setCancelHandler { continuation.resume() }
      source.activate()
    }
    close(descriptor)
  }

  private func reap() -> Int32 {
    var status: Int32 = 0
    while waitpid(pid, &status, 0) == -1 && errno == EINTR {}
    let signal = status & 0x7f
    return signal == 0 ? (status >> 8) & 0xff : -signal
  }
}

/// A null-terminated array of C strings.
private struct CStrings {
  private let strings: [String]

  init(_ strings: [String]) { self.strings = strings }

  func withPointer<Result>(
    _ body: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> Result
  ) -> Result {
    var pointers: [UnsafeMutablePointer<CChar>?] = strings.map { strdup($0) }
    pointers.append(nil)
    defer { for pointer in pointers { free(pointer) } }
    return pointers.withUnsafeMutableBufferPointer { body($0.baseAddress!) }
  }
}
