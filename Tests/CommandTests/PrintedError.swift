/// An error as commands print it with `--json`.
struct PrintedError: Decodable {
  let error: Content

  struct Content: Decodable {
    let code: String
    let message: String
    let hint: String?
  }
}
