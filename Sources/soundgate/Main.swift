import Glibc

@main
enum Main {
  static func main() async {
    signal(SIGPIPE, SIG_IGN)
    let status = await Commands.run(Array(CommandLine.arguments.dropFirst()), on: .current())
    // Not `exit`: OpenSSL would clear away what a thread of ours may still be using.
    _exit(status)
  }
}
