import Glibc

@main
enum Main {
  static func main() async {
    signal(SIGPIPE, SIG_IGN)
    exit(await Commands.run(Array(CommandLine.arguments.dropFirst()), on: .current()))
  }
}
