import Foundation
import NephosRunner
import NephosTesting
import RequestTesting
import Testing

/// Requests that once broke something, or led a search to a new path (Fuzz/Corpus/requests), sent to a server in this process.
/// `make fuzz` searches for the next one through the same entry point.
@Suite("Whole requests") struct CorpusTests {
    private static let corpus = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Fuzz/Corpus")
    private static let folder = corpus.appending(path: "requests")

    @Test("No request of the corpus causes an unexpected error, and the store is intact afterwards")
    func corpus() async throws {
        let cloud = try await SmallCloud()
        let files = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path).sorted()
        #expect(files.count > 30, "the corpus is not where it was")
        for file in files {
            let bytes = try readFile(Self.folder.appending(path: file).path)
            let problem = WrittenRequest(bytes).problem(in: cloud)
            #expect(problem == nil, "\(file): \(problem ?? "")")
        }
        #expect(try cloud.check().isEmpty)
    }

    @Test("Settings of the corpus are rejected with a reason, or survive printing and reading")
    func settings() throws {
        let folder = Self.corpus.appending(path: "settings")
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        #expect(files.count >= 5, "the corpus is not where it was")
        for file in files {
            let problem = WrittenSettings(try readFile(folder.appending(path: file).path)).problem()
            #expect(problem == nil, "\(file): \(problem ?? "")")
        }
    }

    @Test(
        "A file of the corpus is sent to the endpoint in its name",
        arguments: [
            ("signed-query", 200), ("private-query", 200), ("public-caller", 200), ("nobody", 401),
            ("other-container", 401),
        ])
    func written(name: String, status: Int) async throws {
        let cloud = try await SmallCloud()
        let written = WrittenRequest(try readFile(Self.folder.appending(path: name).path))
        let request = cloud.request(
            written.method, written.target, headers: written.headers, body: written.body, as: written.caller)
        guard case .answer(let answer) = cloud.responder.outcome(of: request) else {
            Issue.record("\(name) is not answered")
            return
        }
        #expect(answer.status == status, "\(String(decoding: answer.body, as: UTF8.self))")
    }
}
