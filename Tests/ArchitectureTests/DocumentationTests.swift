import Foundation
import Testing

@Suite("The documentation")
struct DocumentationTests {
  @Test("has every page that the sources name")
  func pagesExist() throws {
    for file in try files() {
      for match in file.text.matches(of: /docs\/[A-Za-z0-9\/_-]+\.(?:md|yaml)/) {
        #expect(Tree.exists(String(match.output)), "\(file) names \(match.output)")
      }
    }
  }

  @Test("has every section that a comment names")
  func sectionsExist() throws {
    var count = 0
    for file in try files() {
      // A reference may run on in the next line of the comment.
      let text = file.text.replacing(/\n *\/\/\/? ?/, with: " ")
      for match in text.matches(of: /`(docs\/[a-z0-9\/_-]+\.md)`, "([^"]+)"/) {
        let (page, section) = (String(match.output.1), String(match.output.2))
        guard Tree.exists(page) else { continue }
        #expect(
          try headings(of: page).contains(section), "\(file) names “\(section)” of \(page)")
        count += 1
      }
    }
    #expect(count > 10, "the comments refer to the pages in another form now")
  }

  @Test("has every section that another page names")
  func namedSectionsExist() throws {
    for page in try pages() {
      let text = try Tree.text(of: page).replacing("\n", with: " ")
      for match in text.matches(of: /\]\(([a-z0-9\/._-]+\.md)\), "([^"]+)"/) {
        let target = resolve(String(match.output.1), from: page)
        #expect(
          try headings(of: target).contains(String(match.output.2)),
          "\(page) names “\(match.output.2)” of \(target)")
      }
    }
  }

  @Test("has no link that leads nowhere")
  func linksResolve() throws {
    for page in try pages() + ["README.md"] {
      for match in try Tree.text(of: page).matches(of: /\]\(([^)#:\s]+)\)/) {
        let target = resolve(String(match.output.1), from: page)
        #expect(Tree.exists(target), "\(page) links to \(match.output.1)")
      }
    }
  }

  @Test("lists every page in the index")
  func indexIsComplete() throws {
    let index = try Tree.text(of: "docs/index.md")
    for page in try pages() where page != "docs/index.md" && !page.hasPrefix("docs/decisions/0") {
      #expect(index.contains("(\(page.dropFirst("docs/".count)))"), "\(page) is not listed")
    }
  }

  private func files() throws -> [SwiftFile] {
    try Tree.swiftFiles(below: "Sources") + Tree.swiftFiles(below: "Tests")
  }

  private func pages() throws -> [String] {
    try Tree.files(below: "docs").filter { $0.hasSuffix(".md") }
  }

  private func headings(of page: String) throws -> [String] {
    try Tree.text(of: page).matches(of: /(?m)^#+ (.+)$/).map { String($0.output.1) }
  }

  private func resolve(_ link: String, from page: String) -> String {
    let folder = Tree.root.appending(path: page).deletingLastPathComponent()
    let path = folder.appending(path: link).standardized.path
    return String(path.dropFirst(Tree.root.path.count + 1))
  }
}
