import Logging
import Synchronization

/// The log of a server in this process, line by line.
final class TestLog: Sendable {
    private let lines = Mutex<[String]>([])

    var text: String { lines.withLock { $0.joined(separator: "\n") } }

    /// The log after this many lines, and the current number of lines.
    func text(after place: Int) -> (text: String, place: Int) {
        lines.withLock { ($0[place...].joined(separator: "\n"), $0.count) }
    }

    func add(_ line: String) { lines.withLock { $0.append(line) } }
}

struct TestLogHandler: LogHandler {
    let log: TestLog
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.trace

    init(log: TestLog) { self.log = log }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        let all = metadata.merging(event.metadata ?? [:]) { $1 }
        var texts = all.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
        if let error = event.error { texts.append("error=\(error)") }
        log.add(([event.level.rawValue, "\(event.message)"] + texts).joined(separator: " "))
    }
}
