import Testing
import Web

@Suite("The router")
struct RouterTests {
  private var router: Router {
    var router = Router { miss, _ in
      switch miss {
      case .notFound: Response(status: 404)
      case .methodNotAllowed(let methods):
        Response(status: 405, headers: [(name: "Allow", value: methods.joined(separator: ", "))])
      }
    }
    let answers: [(String, String)] = [
      ("GET", "/sensors"), ("GET", "/sensors/{chip}"), ("DELETE", "/sensors/{chip}"),
      ("GET", "/sensors/unclaimed"), ("POST", "/enrolments/{id}/steps/{step}/validate"),
    ]
    for (method, pattern) in answers {
      router.on(method, pattern) { request in
        let parameters = request.parameters.sorted { $0.key < $1.key }
          .map { "\($0.key)=\($0.value)" }
        return .json(Array(([pattern] + parameters).joined(separator: " ").utf8))
      }
    }
    return router
  }

  private func answer(_ method: String, _ path: String) async -> Response {
    await router.answer(Request(method: method, path: path, peer: "anna"))
  }

  @Test(
    "finds the handler by the whole path and gives it the path's parts",
    arguments: [
      ("GET", "/sensors", "/sensors"),
      ("GET", "/sensors/24A160000001", "/sensors/{chip} chip=24A160000001"),
      ("DELETE", "/sensors/24A160000001", "/sensors/{chip} chip=24A160000001"),
      ("GET", "/sensors/unclaimed", "/sensors/unclaimed"),
      (
        "POST", "/enrolments/a/steps/3/validate",
        "/enrolments/{id}/steps/{step}/validate id=a step=3"
      ),
    ])
  func finds(method: String, path: String, text: String) async {
    let response = await answer(method, path)
    guard case .bytes(let bytes) = response.body else {
      Issue.record("a stream")
      return
    }
    #expect(response.status == 200)
    #expect(String(decoding: bytes, as: UTF8.self) == text)
  }

  @Test(
    "knows no other path", arguments: ["/", "/sensor", "/sensors/a/b", "/sensors/a/readings"])
  func misses(path: String) async {
    #expect(await answer("GET", path).status == 404)
  }

  @Test("names the methods a path has when asked for another")
  func methods() async {
    let response = await answer("PATCH", "/sensors/24A160000001")
    #expect(response.status == 405)
    #expect(response.headers.first { $0.name == "Allow" }?.value == "DELETE, GET")
  }

  @Test("lists its routes as they were written")
  func patterns() {
    #expect(
      router.patterns.map { "\($0.method) \($0.pattern)" }
        == [
          "GET /sensors", "GET /sensors/{chip}", "DELETE /sensors/{chip}",
          "GET /sensors/unclaimed", "POST /enrolments/{id}/steps/{step}/validate",
        ])
  }
}
