import Foundation
import Logging
import NephosServer
import Synchronization
import Testing

@Suite("Log lines")
struct LogTests {
    /// Stores what is written and what is deferred.
    private final class Paper: Sendable {
        private let state = Mutex<(bytes: [UInt8], jobs: [@Sendable () -> Void])>(([], []))

        var lines: [[String: any Sendable]] {
            get throws {
                try state.withLock { $0.bytes }.split(separator: UInt8(ascii: "\n")).map { line in
                    let object = try JSONSerialization.jsonObject(with: Data(line))
                    return try #require(object as? [String: any Sendable])
                }
            }
        }

        var jobs: Int { state.withLock { $0.jobs.count } }

        var text: String { state.withLock { String(decoding: $0.bytes, as: UTF8.self) } }

        func write(_ bytes: [UInt8]) { state.withLock { $0.bytes += bytes } }
        func later(_ job: @escaping @Sendable () -> Void) { state.withLock { $0.jobs.append(job) } }

        func runJobs() {
            let jobs = state.withLock { state in
                defer { state.jobs = [] }
                return state.jobs
            }
            for job in jobs { job() }
        }
    }

    @Test("A message and its metadata are one JSON object on one line, whatever they contain")
    func handler() throws {
        let paper = Paper()
        let sink = LogSink(write: paper.write)
        var logger = Logger(label: "test") { JSONLogHandler(label: $0, level: .info, sink: sink) }
        logger[metadataKey: "own"] = "1"
        let nasty = "quote \" slash \\ line \n bell \u{7} é 🦊"
        logger.warning("message", metadata: ["nasty": "\(nasty)", "own": "2"])
        logger.debug("unseen")
        let lines = try paper.lines
        #expect(lines.count == 1)
        #expect(lines.first?["message"] as? String == "message")
        #expect(lines.first?["level"] as? String == "warning")
        #expect(lines.first?["logger"] as? String == "test")
        #expect(lines.first?["nasty"] as? String == nasty)
        #expect(lines.first?["own"] as? String == "2")
        let time = try #require(lines.first?["time"] as? String)
        #expect(time.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/) != nil)
    }

    /// docs/running.md, "Health, metrics and logs".
    @Test("Nothing in a line controls the terminal on which somebody reads it, and no text is changed")
    func steering() throws {
        let paper = Paper()
        let sink = LogSink(write: paper.write)
        let nasty = "\u{1B}[2J \u{9B}31m \u{85} \u{7F} \u{202E}turned\u{2066} é \" \\"
        sink.line(.info, "text") { $0.member("text", nasty) }
        let logger = Logger(label: "test") { JSONLogHandler(label: $0, level: .info, sink: sink) }
        logger.info("\(nasty)", metadata: ["a": "\(nasty)", "\(nasty)": "b"])
        let bad = paper.text.unicodeScalars.filter { scalar in
            (scalar.properties.generalCategory == .control && scalar != "\n")
                || (0x202A...0x202E).contains(scalar.value)
                || (0x2066...0x2069).contains(scalar.value)
        }
        #expect(bad.isEmpty)
        let lines = try paper.lines
        #expect(lines.first?["text"] as? String == nasty)
        #expect(lines.last?["message"] as? String == nasty && lines.last?["a"] as? String == nasty)
        #expect(lines.last?[nasty] as? String == "b")
    }

    @Test("Long texts are truncated between characters")
    func longText() throws {
        let paper = Paper()
        let sink = LogSink(write: paper.write)
        sink.line(.info, "long") { $0.member("text", String(repeating: "é", count: 5_000)) }
        let text = try #require(try paper.lines.first?["text"] as? String)
        #expect(text == String(repeating: "é", count: 512))
    }

    @Test("Lines are buffered; a warning flushes all of them, in order")
    func collected() throws {
        let paper = Paper()
        let sink = LogSink(later: paper.later, write: paper.write)
        sink.line(.info, "first") { _ in }
        sink.line(.info, "second") { _ in }
        #expect(paper.jobs == 1, "one job for all that wait")
        #expect(try paper.lines.isEmpty)
        paper.runJobs()
        sink.line(.info, "third") { _ in }
        sink.line(.warning, "fourth") { _ in }
        #expect(try paper.lines.map { $0["message"] as? String } == ["first", "second", "third", "fourth"])
    }

    @Test("When nothing reads the lines, memory stays bounded and the number of dropped lines is logged")
    func overflow() throws {
        let paper = Paper()
        let sink = LogSink(later: paper.later, write: paper.write)
        let text = String(repeating: "a", count: 1_000)
        for _ in 0..<10_000 { sink.line(.info, "flood") { $0.member("text", text) } }
        sink.flush()
        let lines = try paper.lines
        let left = try #require(lines.last?["count"] as? Int)
        #expect(lines.last?["message"] as? String == "log lines dropped")
        #expect(lines.count - 1 + left == 10_000)
        #expect(left > 0)
    }
}
