import NephosStorage
import Synchronization
import Testing

@testable import NephosRunner

/// How often an outage is reported.
@Suite("Outages of the storage") final class StorageOutageTests: Sendable {
    private let outage = StorageOutage()
    private let told = Mutex<[StorageOutage.Event]>([])
    private let start = ContinuousClock.now

    init() { outage.listen { [self] event in told.withLock { $0.append(event) } } }

    private func fails(_ text: String, at seconds: Double) {
        outage.noteFailure(text, at: start + .seconds(seconds))
    }

    private func succeeds(at seconds: Double) { outage.noteSuccess(at: start + .seconds(seconds)) }

    @Test("An outage is reported once, and its end with its duration")
    func once() {
        succeeds(at: 0)
        for second in 1...5 { fails("gone \(second)", at: Double(second)) }
        succeeds(at: 6)
        succeeds(at: 7)
        #expect(told.withLock { $0 } == [.began("gone 1"), .ended(after: .seconds(5))])
    }

    @Test("A flapping connection is reported every 10 s at most, and when it ends")
    func flapping() {
        for tenth in 0..<50 {
            fails("gone", at: Double(tenth) / 10)
            succeeds(at: Double(tenth) / 10 + 0.05)
        }
        #expect(told.withLock { $0 } == [.began("gone"), .ended(after: .milliseconds(50))])
        fails("gone", at: 9)
        fails("gone for good", at: 10)
        #expect(told.withLock { $0 }.last == .began("gone for good"))
        #expect(told.withLock { $0 }.count == 3)
    }

    @Test("A full disk is reported once, and its end with the first save; successful reads do not end it")
    func full() {
        for second in 1...5 {
            outage.noteFull(at: start + .seconds(second))
            succeeds(at: Double(second))
        }
        outage.noteSuccess(saved: true, at: start + .seconds(6))
        outage.noteSuccess(saved: true, at: start + .seconds(7))
        #expect(told.withLock { $0 } == [.filled, .hasRoom(after: .seconds(5))])
    }

    @Test("A database that reports a full disk is reachable")
    func fullThoughReached() {
        fails("gone", at: 1)
        outage.noteFull(at: start + .seconds(2))
        fails("gone", at: 13)
        outage.noteSuccess(saved: true, at: start + .seconds(14))
        let ends: [StorageOutage.Event] = [.ended(after: .seconds(1)), .hasRoom(after: .seconds(12))]
        #expect(
            told.withLock { $0 } == [.began("gone"), ends[0], .filled, .began("gone"), ends[0], ends[1]])
    }

    @Test("Watching the storage reports that it is unreachable or full, and nothing else")
    func looks() throws {
        #expect(throws: StorageError.busy) { try outage.watching { throw StorageError.busy } }
        #expect(told.withLock { $0 }.isEmpty)
        #expect(throws: StorageError.full) { try outage.watching { throw StorageError.full } }
        #expect(told.withLock { $0 } == [.filled])
        #expect(throws: StorageError.unavailable("gone")) {
            try outage.watching { throw StorageError.unavailable("gone") }
        }
        try outage.watching {}
        #expect(told.withLock { $0 }.count == 3)
    }
}
