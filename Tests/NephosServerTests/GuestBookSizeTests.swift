import Foundation
import Testing

/// docs/decisions/0028: a feature is a folder, listed in one line.
@Suite("The size of a feature") struct GuestBookSizeTests {
    private static let sources = URL(filePath: #filePath).appending(path: "../../../Sources").standardizedFileURL

    private static func files(below folder: String) -> [(path: String, text: String)] {
        let all = FileManager.default.enumerator(at: sources.appending(path: folder), includingPropertiesForKeys: nil)
        return (all?.allObjects ?? []).compactMap { file in
            guard let file = file as? URL, file.pathExtension == "swift",
                let text = try? String(contentsOf: file, encoding: .utf8)
            else { return nil }
            return (String(file.path.dropFirst(sources.path.count + 1)), text)
        }
    }

    @Test(
        "The guest book has at most 12 files and 600 lines, and only the program that lists it names it")
    func guestBook() {
        let program = "Tools/nephos-guestbook/Main.swift"
        let own = Self.files(below: "Testing/GuestBook") + Self.files(below: "Tools/nephos-guestbook")
        #expect((8...12).contains(own.count), "\(own.count) files")
        let lines = own.reduce(0) { $0 + $1.text.split(separator: "\n", omittingEmptySubsequences: false).count - 1 }
        #expect((300...600).contains(lines), "\(lines) lines")
        let all = Self.files(below: "")
        #expect(all.count > 800)
        let naming = all.filter { $0.text.localizedCaseInsensitiveContains("guestbook") }.map(\.path)
        #expect(Set(naming).isSubset(of: own.map(\.path)), "\(naming)")
        let listing = own.first { $0.path == program }?.text.split(separator: "\n").filter { $0.contains(".guestBook") }
        #expect(listing?.count == 1)
    }
}
