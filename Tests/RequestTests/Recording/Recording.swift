import Foundation
import NephosTesting
import RequestTesting

/// The recording: a part for each kind of request, in the order of sending, each with its own file.
struct Recording {
    static let parts: [(name: String, requests: [RecordedRequest])] = [
        ("access", Access.requests), ("paths", Paths.requests), ("bodies", Bodies.requests),
        ("zones", Zones.requests), ("saves", Saves.requests), ("fields", Fields.requests),
        ("references", References.requests), ("look-ups", LookUps.requests), ("queries", Queries.requests),
        ("feeds", Feeds.requests), ("assets", Assets.requests), ("notifications", Notifications.requests),
    ]
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Recorded")
    private static let introduction = """
        What a small cloud answers to the requests of Tests/RequestTests/Recording (CONTRIBUTING.md).

        Each has a number, who asks, method and target; behind > what is sent; the status; the headers of the answer; behind < its body.
        Left out are headers that all answers have, and Content-Type and Content-Length where they say nothing new.

        """

    /// The entries of each part.
    var entries: [[RecordedEntry]]

    /// The current responses. For ``OwnThreads``.
    init(asking cloud: SmallCloud) throws {
        var recorder = Recorder(cloud)
        entries = try Self.parts.map { try recorder.record($0.requests) }
    }

    /// The recorded responses.
    init() throws {
        entries = try Self.parts.map { part in
            let text = String(decoding: try readFile(Self.file(part.name).path), as: UTF8.self)
            let paragraphs = text.components(separatedBy: "\n\n").map { $0.trimmingCharacters(in: .newlines) }
            return paragraphs.filter { $0.hasPrefix("#") }.map { RecordedEntry(text: $0) }
        }
    }

    func write() throws {
        try FileManager.default.createDirectory(at: Self.folder, withIntermediateDirectories: true)
        for (part, entries) in zip(Self.parts, entries) {
            let text = Self.introduction + entries.map { "\n\($0.text)\n" }.joined()
            try Data(text.utf8).write(to: Self.file(part.name))
        }
    }

    private static func file(_ name: String) -> URL { folder.appending(path: "\(name).txt") }
}
