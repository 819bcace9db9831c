import Synchronization
import Testing

@testable import NephosRunner

@Suite("The coalescing work queue") struct CoalescingWorkQueueTests {
    /// Items that a test completes one by one, and their results.
    private final class WorkItem: Sendable {
        private let begun = AsyncStream.makeStream(of: Int.self)
        private let gates = Mutex<[Int: [CheckedContinuation<Void, Never>]]>([:])
        private let counts = Mutex<[Int: Int]>([:])

        @Sendable func run(_ place: Int) async {
            counts.withLock { $0[place, default: 0] += 1 }
            await withCheckedContinuation { gate in
                gates.withLock { $0[place, default: []].append(gate) }
                begun.continuation.yield(place)
            }
        }

        /// The keys of this many started items, in no order.
        func next(_ count: Int) async -> Set<Int> {
            var places: Set<Int> = []
            for await place in begun.stream {
                places.insert(place)
                if places.count == count { break }
            }
            return places
        }

        func end(_ place: Int) { gates.withLock { $0[place]?.removeFirst() }?.resume() }
        func count(_ place: Int) -> Int { counts.withLock { $0[place] ?? 0 } }
    }

    private let item = WorkItem()

    @Test("A key runs one item at a time, and any number of requests meanwhile start one more")
    func oneMore() async {
        let queue = CoalescingWorkQueue<Int>()
        queue.submit(1, item.run)
        #expect(await item.next(1) == [1])
        for _ in 0..<5 { #expect(queue.submit(1, item.run)) }
        queue.submit(2, item.run)
        #expect(await item.next(1) == [2] && item.count(1) == 1)
        item.end(1)
        #expect(await item.next(1) == [1])
        item.end(1)
        item.end(2)
        await queue.stop()
        #expect(item.count(1) == 2 && item.count(2) == 1)
    }

    @Test("At most the allowed number of keys run an item at the same time, in order of request")
    func limit() async {
        let queue = CoalescingWorkQueue<Int>(limit: 2)
        for place in 1...4 { queue.submit(place, item.run) }
        #expect(await item.next(2) == [1, 2])
        #expect(item.count(3) == 0)
        item.end(2)
        #expect(await item.next(1) == [3])
        item.end(1)
        #expect(await item.next(1) == [4])
        item.end(3)
        item.end(4)
        await queue.stop()
    }

    @Test("After stopping no item begins, and running ones are waited for")
    func stop() async {
        let queue = CoalescingWorkQueue<Int>(limit: 1)
        queue.submit(1, item.run)
        #expect(await item.next(1) == [1])
        queue.submit(1, item.run)
        queue.submit(2, item.run)
        let hasEnded = Mutex(false)
        async let stopped: Void = {
            await queue.stop()
            hasEnded.withLock { $0 = true }
        }()
        while !queue.isStopped { await Task.yield() }
        #expect(!queue.submit(3, item.run) && !hasEnded.withLock { $0 })
        item.end(1)
        await stopped
        #expect(item.count(1) == 1 && item.count(2) == 0 && item.count(3) == 0)
        await queue.stop()
    }
}
