import Foundation
import NephosRunner
import Testing

@testable import NephosEndpoints

@Suite("The documentation that the program contains") struct DocumentTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../docs")
    /// For contributors, who have them in the repository; and the map of the folder, which the program replaces by its first page.
    private static let leftOut: Set = ["README", "dependencies", "performance", "requirements"]

    @Test("It equals docs/, without the pages for contributors")
    func bytes() throws {
        let files = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
        let names = Set(files.filter { $0.hasSuffix(".md") }.map { String($0.dropLast(3)) })
        #expect(Set(Documents.all.map(\.name)) == names.subtracting(Self.leftOut))
        for document in Documents.all {
            let file = Self.folder.appending(path: "\(document.name).md")
            #expect(document.text == (try String(contentsOf: file, encoding: .utf8)), "\(document.name)")
        }
    }

    @Test("Its pages are in the order of docs/README.md, which begins with tasks")
    func order() throws {
        let map = try String(contentsOf: Self.folder.appending(path: "README.md"), encoding: .utf8)
        let linked = map.matches(of: #/\]\(([a-z-]+)\.md\)/#).map { String($0.1) }
        #expect(Documents.all.map(\.name) == linked.filter { !Self.leftOut.contains($0) })
    }

    @Test("Each page is complete: no markup is left, rows have as many cells as their table, and links work")
    func pages() throws {
        for document in Documents.all {
            let answer = try #require(Documents.answer(at: "/docs/\(document.name)"))
            let html = String(decoding: answer.body, as: UTF8.self)
            #expect(answer.status == 200 && html.contains("<h1 id="), "\(document.name)")
            let text = html.replacing(#/<pre>(?s:.*?)</pre>|<code>(?s:.*?)</code>/#, with: "")
            for mark in ["**", "`", "](", "|", "\n#", "\n- "] {
                #expect(!text.contains(mark), "\(document.name): \(mark)")
            }
            for table in html.matches(of: #/<table>(?s:.*?)</table>/#) {
                let cells = table.0.split(separator: "</tr>").map { $0.matches(of: #/<t[hd]>/#).count }.dropLast()
                #expect(Set(cells).count == 1, "\(document.name): \(table.0.prefix(80))")
            }
            for link in html.matches(of: #/href="([^"]*)"/#).map(\.1) {
                let isThere =
                    link == "/" || link.hasPrefix("https://") || Documents.answers(link)
                    || link.hasPrefix("#") && html.contains("id=\"\(link.dropFirst())\"")
                #expect(isThere, "\(document.name): \(link)")
            }
        }
    }
}
