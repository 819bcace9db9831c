import CloudKitWire
import NephosDomain
import NephosRunner
import NephosStorage
import Synchronization
import Testing

@testable import NephosEndpoints

/// Who builds indexes, and when, docs/protocol.md Q22.
@Suite("Building indexes for queries") struct IndexKeeperTests {
    private let store = BuildStore()
    private let keeper: IndexKeeper
    private let meter = Counts()
    private let red = IndexShape(type: 1, parts: [.value(.recordName)])
    private let blue = IndexShape(type: 1, parts: [.order(.modifiedAt, isDescending: true)])

    init() {
        let meter = meter
        keeper = IndexKeeper(built: { result in
            if case .success = result { meter.done() } else { meter.failed() }
        })
    }

    /// The calls to a meter.
    private final class Counts: Sendable {
        private let state = Mutex((done: 0, failed: 0))
        func done() { state.withLock { $0.done += 1 } }
        func failed() { state.withLock { $0.failed += 1 } }
        var both: [Int] { state.withLock { [$0.done, $0.failed] } }
    }

    private func place(_ database: DatabaseNumber) -> IndexKeeper.Place {
        IndexKeeper.Place(tenant: store.tenant, database: database)
    }

    /// Requests indexes and waits for the result, which is `ok` or the code of the error.
    private func build(_ shapes: [IndexShape], _ database: DatabaseNumber = 4) async -> String {
        await withCheckedContinuation { continuation in
            keeper.build(shapes, at: place(database), of: store) { result in
                switch result {
                case .success: continuation.resume(returning: "ok")
                case .failure(let refusal as Refusal): continuation.resume(returning: refusal.serverErrorCode.rawValue)
                case .failure(let error): continuation.resume(returning: "\(error)")
                }
            }
        }
    }

    @Test("Waiting requests continue after the last chunk")
    func chunks() async {
        store.prepare(chunks: 3)
        #expect(await build([red, blue]) == "ok")
        #expect(store.events == [.open([red, blue], 4)] + Array(repeating: .chunk(4), count: 3))
        #expect(meter.both == [1, 0])
    }

    @Test("A database has one builder: an index requested meanwhile is built afterwards, once")
    func oneBuilder() async {
        store.hold(4)
        async let first = build([red])
        await store.happened(2)
        // Nobody waits for this one; two others request the same.
        keeper.build([blue], at: place(4), of: store)
        async let second = build([blue])
        async let elsewhere = build([red], 5)
        #expect(await elsewhere == "ok")
        #expect(store.events.filter { $0 == .open([blue], 4) }.isEmpty, "the first is not done")
        store.release()
        #expect(await first == "ok")
        #expect(await second == "ok")
        #expect(store.events.filter { $0 == .open([blue], 4) }.count <= 2)
        #expect(store.events.filter { $0 == .open([red], 4) }.count == 1)
        #expect(store.events.contains(.open([red], 5)))
    }

    @Test("A failed build reports the reason, and the next request is tried")
    func failures() async {
        store.prepare(failure: .full)
        #expect(await build([red]) == "\(StorageError.full)")
        store.prepare()
        #expect(await build([red]) == "ok")
        #expect(meter.both == [1, 1])
    }

    @Test("Stopping ends builders between two chunks; waiting requests are told to try again")
    func stopping() async {
        store.prepare(chunks: 1_000_000)
        store.hold(4)
        async let waiting = build([red])
        await store.happened(2)
        async let stopped: Void = keeper.stop()
        async let late = lateOrder()
        store.release()
        #expect(await waiting == "TRY_AGAIN_LATER")
        await stopped
        #expect(await late == "TRY_AGAIN_LATER")
        let events = store.events
        #expect(await build([blue]) == "TRY_AGAIN_LATER")
        #expect(store.events == events && !events.contains(.open([blue], 4)))
    }

    /// A request that arrives while the keeper stops, or after: nothing is built for it.
    private func lateOrder() async -> String {
        await keeper.stop()
        return await build([blue])
    }

    @Test("An optional index is built at most once an hour, unless that failed")
    func wishes() async {
        /// Builds it if it is time; the second request is complete after the first, or together with it.
        func requestIndexes(_ database: DatabaseNumber, now: Milliseconds) async -> String {
            keeper.requestIndexes(for: [red], at: place(database), of: store, now: now)
            return await build([blue], database)
        }
        func opened(in database: DatabaseNumber) -> Int {
            store.events.count { $0 == .open([red], database) || $0 == .open([red, blue], database) }
        }
        #expect(await requestIndexes(4, now: 0) == "ok" && opened(in: 4) == 1)
        #expect(await requestIndexes(4, now: 3_599_999) == "ok" && opened(in: 4) == 1)
        #expect(await requestIndexes(4, now: 3_600_000) == "ok" && opened(in: 4) == 2)
        store.prepare(failure: .full)
        #expect(await requestIndexes(5, now: 0) == "\(StorageError.full)" && opened(in: 5) == 1)
        store.prepare()
        #expect(await requestIndexes(5, now: 1) == "ok" && opened(in: 5) == 2)
    }

    @Test(
        "If all indexes of a type are in use, no other is built; an unused one makes room"
    )
    func rooms() {
        func shape(_ number: Int64, of type: TypeNumber = 1) -> IndexShape {
            IndexShape(type: type, parts: [.value(.field("a", .string, epoch: number))])
        }
        var rows = (1...Int64(indexesMax)).map { number in
            IndexRow(database: 1, number: number, shape: shape(number), state: .ready, createdAt: 0, usedAt: 100)
        }
        #expect(rows.room(for: [shape(1), shape(99)], sparing: 100) == [shape(1)])
        #expect(rows.room(for: [shape(99, of: 2)], sparing: 100) == [shape(99, of: 2)])
        #expect(rows.room(for: [shape(98), shape(99)], sparing: 101) == [shape(98), shape(99)])
        rows[3].usedAt = 99
        #expect(rows.room(for: [shape(98), shape(99)], sparing: 100) == [shape(98)])
        rows[3].usedAt = 100
        rows[4].state = .dropped
        #expect(rows.room(for: [shape(98), shape(99)], sparing: 100) == [shape(98)])
    }

    @Test("The use of an index is recorded once an hour")
    func uses() async {
        keeper.note([1, 2], at: place(4), of: store, now: 0)
        await store.happened(1)
        keeper.note([1, 2], at: place(4), of: store, now: 3_599_999)
        keeper.note([], at: place(4), of: store, now: 3_599_999)
        keeper.note([2, 3], at: place(4), of: store, now: 3_599_999)
        await store.happened(2)
        keeper.note([1], at: place(5), of: store, now: 3_599_999)
        await store.happened(3)
        keeper.note([1], at: place(4), of: store, now: 3_600_000)
        await store.happened(4)
        #expect(store.events == [.use([1, 2], 4), .use([3], 4), .use([1], 5), .use([1], 4)])
        #expect(meter.both == [0, 0], "nothing was built")
    }
}
