package import Logging

/// swift-log's messages as JSON lines, with their metadata as members.
package struct JSONLogHandler: LogHandler {
    package var metadata: Logger.Metadata = [:]
    package var logLevel: Logger.Level
    private let label: String
    private let sink: LogSink

    package init(label: String, level: LogLevel, sink: LogSink) {
        self.label = label
        self.sink = sink
        logLevel = Logger.Level(level)
    }

    package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    package func log(event: LogEvent) {
        let members = metadata.merging(event.metadata ?? [:]) { _, ofMessage in ofMessage }
        sink.line(LogLevel(event.level), event.message.description) { line in
            line.member("logger", label)
            if let error = event.error { line.member("error", String(describing: error)) }
            for (key, value) in members.sorted(by: { $0.key < $1.key }) {
                line.member(named: key, value.description)
            }
        }
    }
}

extension LogLevel {
    fileprivate init(_ level: Logger.Level) {
        switch level {
        case .trace: self = .trace
        case .debug: self = .debug
        case .info: self = .info
        case .notice: self = .notice
        case .warning: self = .warning
        case .error: self = .error
        case .critical: self = .critical
        }
    }
}

extension Logger.Level {
    init(_ level: LogLevel) {
        switch level {
        case .trace: self = .trace
        case .debug: self = .debug
        case .info: self = .info
        case .notice: self = .notice
        case .warning: self = .warning
        case .error: self = .error
        case .critical: self = .critical
        }
    }
}
