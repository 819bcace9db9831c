import Foundation
import Testing

/// ARCHITECTURE.md, "Four walkthroughs".
@Suite("The four walks through the source files") struct WalkTests {
    private static let package = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")

    @Test("Each walk names existing files, each once")
    func files() throws {
        let page = try String(contentsOf: Self.package.appending(path: "ARCHITECTURE.md"), encoding: .utf8)
        let start = try #require(page.range(of: "\n## Four walkthroughs\n"))
        let end = try #require(page.range(of: "\n## ", range: start.upperBound..<page.endIndex))
        let walks = page[start.upperBound..<end.lowerBound].components(separatedBy: "\n### ").dropFirst()
        #expect(walks.count == 4)
        let files = try Self.files()
        for walk in walks {
            let names = walk.split(separator: "`", omittingEmptySubsequences: false).enumerated()
                .filter { $0.offset % 2 == 1 }.map { String($0.element) }
                .filter { $0.first?.isUppercase == true && !$0.contains(" ") }
            #expect(names.count > 10)
            #expect(names.filter { !files.contains($0) } == [])
            #expect(
                names.count == Set(names).count, "twice: \(names.filter { name in names.count { $0 == name } > 1 })")
        }
    }

    /// Names of all source files, without extensions.
    private static func files() throws -> Set<String> {
        let folder = package.appending(path: "Sources")
        let all = try #require(FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil))
        let names = all.compactMap { ($0 as? URL)?.lastPathComponent }.filter { $0.hasSuffix(".swift") }
        return Set(names.map { String($0.dropLast(6)) })
    }
}
