import Dispatch
import Glibc

/// Calls back on a queue whenever a descriptor is readable, until it is dropped.
///
/// It watches a duplicate and closes it itself once the kernel's watch is gone, so that a library may
/// close its own descriptor whenever it likes.
package struct DescriptorWatch: ~Copyable {
  private let source: any DispatchSourceRead

  /// - Returns: nil when no descriptor is left.
  package init?(
    _ descriptor: Int32, on queue: DispatchQueue, _ handler: @escaping @Sendable () -> Void
  ) {
    let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
    guard copy >= 0 else { return nil }
    source = DispatchSource.makeReadSource(fileDescriptor: copy, queue: queue)
    source.setEventHandler(handler: handler)
    source.setCancelHandler { close(copy) }
    source.activate()
  }

  deinit { source.cancel() }
}
