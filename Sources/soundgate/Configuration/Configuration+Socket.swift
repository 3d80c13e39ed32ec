import Domain
import Glibc
import Host
import Texts

extension Configuration.Control {
  /// Makes the directory of the usual socket where systemd has not, in `/run`, which is empty after
  /// each start of the machine. Any other directory is an operator's to make, with the owner and the
  /// rights that decide who gets at the socket.
  ///
  /// - Throws: `SG-INPUT-020` when there is no such directory.
  func prepareDirectory() throws {
    guard let slash = socket.lastIndex(of: "/"), slash > socket.startIndex else { return }
    let directory = String(socket[..<slash])
    var status = stat()
    guard stat(directory, &status) != 0 else { return }
    var reason = errno
    if socket == Self.defaultSocket, reason == ENOENT {
      if mkdir(directory, 0o755) == 0 { return }
      reason = errno
    }
    let words = systemMessage(reason)
    throw Refused(
      .configuration,
      Phrase(
        en: "[control] socket = \(socket): its directory \(directory) cannot be used: \(words)",
        fr: "[control] socket = \(socket) : son répertoire \(directory) est inutilisable : \(words)"
      ),
      hint: Phrase(
        en: "make it first: sudo install -d -o soundgate -g soundgate -m 0750 \(directory)",
        fr: "créez-le d’abord : sudo install -d -o soundgate -g soundgate -m 0750 \(directory)"))
  }
}
