/// Finds the handler of a request by method and path.
package struct Router: Sendable {
  package typealias Handler = @Sendable (Request) async -> Response

  /// What stands for answers that no handler gives.
  package enum Miss: Sendable {
    case notFound
    case methodNotAllowed([String])
  }

  private struct Route: Sendable {
    let method: String
    let segments: [Segment]
    let handler: Handler
  }

  private enum Segment: Hashable, Sendable {
    case literal(String)
    case parameter(String)
  }

  private var routes: [Route] = []
  private let miss: @Sendable (Miss, Request) -> Response

  package init(miss: @escaping @Sendable (Miss, Request) -> Response) { self.miss = miss }

  /// - Parameter pattern: `/sensors/{chip}/readings`. A literal segment wins over a parameter.
  package mutating func on(
    _ method: String, _ pattern: String, _ handler: @escaping Handler
  ) {
    let segments = Self.split(pattern).map { segment in
      segment.hasPrefix("{") && segment.hasSuffix("}")
        ? Segment.parameter(String(segment.dropFirst().dropLast()))
        : .literal(segment)
    }
    routes.append(Route(method: method, segments: segments, handler: handler))
  }

  /// Method and pattern of every route, as registered.
  package var patterns: [(method: String, pattern: String)] {
    routes.map { route in
      let path = route.segments.map { segment in
        switch segment {
        case .literal(let text): "/\(text)"
        case .parameter(let name): "/{\(name)}"
        }
      }
      return (route.method, path.joined())
    }
  }

  package func answer(_ request: Request) async -> Response {
    let path = Self.split(request.path)
    let matches = routes.compactMap { route in
      Self.match(path, route.segments).map { (route: route, parameters: $0) }
    }
    guard !matches.isEmpty else { return miss(.notFound, request) }
    let best = matches.filter { $0.route.method == request.method }
      .min { $0.parameters.count < $1.parameters.count }
    guard let best else {
      return miss(.methodNotAllowed(Set(matches.map(\.route.method)).sorted()), request)
    }
    var request = request
    request.parameters = best.parameters
    return await best.route.handler(request)
  }

  private static func split(_ path: String) -> [String] {
    path.split(separator: "/", omittingEmptySubsequences: true).map(String.init)
  }

  private static func match(_ path: [String], _ segments: [Segment]) -> [String: String]? {
    guard path.count == segments.count else { return nil }
    var parameters: [String: String] = [:]
    for (text, segment) in zip(path, segments) {
      switch segment {
      case .literal(let expected): if text != expected { return nil }
      case .parameter(let name): parameters[name] = text
      }
    }
    return parameters
  }
}
