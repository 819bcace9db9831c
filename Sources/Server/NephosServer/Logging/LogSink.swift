import CloudKitWire
import NephosHTTP
import NephosRunner
import Synchronization

/// Collects log lines and passes them on in batches, so that a line costs a copy and not a system call.
///
/// Lines at `warning` or above are passed on immediately; others shortly after the first waiting line. If the reader of the log
/// is too slow, lines are dropped, and a line reports how many.
package final class LogSink: Sendable {
    /// Lines are dropped while this many bytes are waiting.
    private static let waitingBytesMax = 4 << 20
    private static let batchBytes = 32 << 10

    private struct State {
        var waiting: [UInt8] = []
        var left = 0
        var isScheduled = false
        var second: Int64 = -1
        var secondText: [UInt8] = []
    }

    private let state = Mutex(State())
    private let isWriting = Mutex(())
    private let write: @Sendable ([UInt8]) -> Void
    private let later: (@Sendable (@escaping @Sendable () -> Void) -> Void)?

    /// - Parameters:
    ///   - later: Runs its argument soon on a thread that may block; nil passes every line on immediately.
    ///   - write: Writes complete lines. May block.
    package init(
        later: (@Sendable (@escaping @Sendable () -> Void) -> Void)? = nil, write: @escaping @Sendable ([UInt8]) -> Void
    ) {
        self.later = later
        self.write = write
    }

    /// Appends a line: `body` adds its members to an object that already has its time and level.
    package func line(_ level: LogLevel, _ message: StaticString, _ body: (inout LogLine) -> Void) {
        line(level, String(describing: message), body)
    }

    func line(_ level: LogLevel, _ message: String, _ body: (inout LogLine) -> Void) {
        let now = WallClock.now()
        let mustSchedule = state.withLock { state -> Bool? in
            guard state.waiting.count < LogSink.waitingBytesMax else {
                state.left += 1
                return nil
            }
            LogSink.append(to: &state, at: now, level, message, body)
            defer { state.isScheduled = true }
            return !state.isScheduled
        }
        guard let mustSchedule else { return }
        if later == nil || level >= .warning {
            flush()
        } else if mustSchedule {
            later? { self.flush() }
        }
    }

    /// Passes on waiting lines.
    package func flush() {
        // Keeps the order of lines: one thread takes and writes them before another takes more.
        isWriting.withLock { _ in
            let bytes = state.withLock { state in
                if state.left > 0 {
                    let left = state.left
                    state.left = 0
                    LogSink.append(to: &state, at: WallClock.now(), .warning, "log lines dropped") { line in
                        line.member("count", left)
                    }
                }
                state.isScheduled = false
                var bytes: [UInt8] = []
                bytes.reserveCapacity(state.waiting.count > LogSink.batchBytes ? 0 : LogSink.batchBytes)
                swap(&bytes, &state.waiting)
                return bytes
            }
            if !bytes.isEmpty { write(bytes) }
        }
    }

    private static func append(
        to state: inout State, at now: Int64, _ level: LogLevel, _ message: String, _ body: (inout LogLine) -> Void
    ) {
        if now / 1_000 != state.second {
            state.second = now / 1_000
            state.secondText = Array(ISO8601.text(now).utf8.dropLast())
        }
        var line = LogLine(taking: &state.waiting)
        line.begin(second: state.secondText, millisecond: Int(now % 1_000), level, message)
        body(&line)
        line.end(giving: &state.waiting)
    }
}
