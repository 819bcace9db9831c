import Foundation
import NephosTesting
import RequestTesting
import Testing

/// Settings, flags, content and messages that a generator writes and apps then use. `make fuzz` searches for decisions of the generator
/// that break something, through the same entry point.
@Suite("Generated documents") struct GeneratedDocumentTests {
    @Test("Most documents of the generator are valid, and answers agree with the library and are stable")
    func fixed() async throws {
        let cloud = try await DocumentCloud()
        var random = SeededGenerator(seed: 20_261_128)
        var tally = GeneratedDocuments.Tally()
        for round in 0..<72 {
            let bytes = (0..<400).map { _ in UInt8.random(in: .min ... .max, using: &random) }
            let problem = GeneratedDocuments(bytes).problem(in: cloud, &tally)
            #expect(problem == nil, "round \(round): \(problem ?? "")")
        }
        #expect(tally.offered.values.reduce(0, +) > 600, "\(tally.offered)")
        for kind in GeneratedDocuments.Kind.allCases {
            let reasons = tally.refusals[kind, default: []].sorted()
            #expect(tally.percent(of: kind) >= 50, "\(kind): \(tally.percent(of: kind)) %: \(reasons)")
        }
        #expect(tally.comparisons > 100, "\(tally.comparisons)")
        #expect(try cloud.cloud.check().isEmpty)
    }

    @Test("Documents of the corpus still break nothing")
    func corpus() async throws {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Fuzz/Corpus/documents")
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        #expect(files.count >= 5, "the corpus is not where it was")
        let cloud = try await DocumentCloud()
        var tally = GeneratedDocuments.Tally()
        for file in files {
            let problem = GeneratedDocuments(try readFile(folder.appending(path: file).path)).problem(in: cloud, &tally)
            #expect(problem == nil, "\(file): \(problem ?? "")")
        }
    }
}
