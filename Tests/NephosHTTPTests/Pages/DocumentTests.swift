import Foundation
import NephosRunner
import Synchronization
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

    // docs/running.md, "Health, metrics and logs".
    @Test(
        "A page is rendered once, however many request it at the same time; requests for another page do not wait for it"
    )
    func once() throws {
        let (first, second) = (Documents.all[0], Documents.all[1])
        let counts = Mutex<[String: Int]>([:])
        let pages = RenderedPages { document in
            counts.withLock { $0[document.name, default: 0] += 1 }
            return RawResponse(body: Array(document.name.utf8))
        }
        let answers = Mutex<[String]>([])
        /// Begins to answer a request. - Returns: What it has to do on a thread that may block; nil for nothing.
        func begin(_ document: Documents.Document) -> (@Sendable () throws -> Work)? {
            let job = Mutex<(@Sendable () throws -> Work)?>(nil)
            guard case .later(let run) = pages.work(for: document) else { return nil }
            run { work in
                switch work {
                case .answer(let answer): answers.withLock { $0.append(String(decoding: answer.body, as: UTF8.self)) }
                case .blocking(let other): job.withLock { $0 = other }
                default: Issue.record("\(work)")
                }
            }
            return job.withLock { $0 }
        }
        let rendering = try #require(begin(first))
        // It has not begun, as if it took long; the others wait without a thread.
        for _ in 0..<100 { #expect(begin(first) == nil) }
        let other = try #require(begin(second))
        func name(_ work: Work) throws -> String {
            let body: [UInt8]? = if case .answer(let answer) = work { answer.body } else { nil }
            return String(decoding: try #require(body), as: UTF8.self)
        }
        #expect(try name(other()) == second.name && answers.withLock { $0.isEmpty })
        #expect(try name(rendering()) == first.name)
        #expect(answers.withLock { $0 } == Array(repeating: first.name, count: 100))
        #expect(begin(first) == nil && begin(second) == nil)
        #expect(answers.withLock { $0.suffix(2) } == [first.name, second.name])
        #expect(counts.withLock { $0 } == [first.name: 1, second.name: 1])
    }

    @Test("Each page is complete: no markup is left, rows have as many cells as their table, and links work")
    func pages() throws {
        for document in Documents.all {
            let answer = Documents.render(document)
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
