import Synchronization
import Testing

@testable import NephosRunner

@Suite("Errands") struct ErrandsTests {
    /// Errands that a test completes one by one, and their results.
    private final class Errand: Sendable {
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

        /// The places of this many started errands, in no order.
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

    private let errand = Errand()

    @Test("A place runs one errand at a time, and any number of requests meanwhile start one more")
    func oneMore() async {
        let errands = Errands<Int>()
        errands.ask(1, errand.run)
        #expect(await errand.next(1) == [1])
        for _ in 0..<5 { #expect(errands.ask(1, errand.run)) }
        errands.ask(2, errand.run)
        #expect(await errand.next(1) == [2] && errand.count(1) == 1)
        errand.end(1)
        #expect(await errand.next(1) == [1])
        errand.end(1)
        errand.end(2)
        await errands.stop()
        #expect(errand.count(1) == 2 && errand.count(2) == 1)
    }

    @Test("At most the allowed number of places run an errand at the same time, in order of request")
    func limit() async {
        let errands = Errands<Int>(limit: 2)
        for place in 1...4 { errands.ask(place, errand.run) }
        #expect(await errand.next(2) == [1, 2])
        #expect(errand.count(3) == 0)
        errand.end(2)
        #expect(await errand.next(1) == [3])
        errand.end(1)
        #expect(await errand.next(1) == [4])
        errand.end(3)
        errand.end(4)
        await errands.stop()
    }

    @Test("After stopping no errand begins, and running ones are waited for")
    func stop() async {
        let errands = Errands<Int>(limit: 1)
        errands.ask(1, errand.run)
        #expect(await errand.next(1) == [1])
        errands.ask(1, errand.run)
        errands.ask(2, errand.run)
        let hasEnded = Mutex(false)
        async let stopped: Void = {
            await errands.stop()
            hasEnded.withLock { $0 = true }
        }()
        while !errands.isStopped { await Task.yield() }
        #expect(!errands.ask(3, errand.run) && !hasEnded.withLock { $0 })
        errand.end(1)
        await stopped
        #expect(errand.count(1) == 1 && errand.count(2) == 0 && errand.count(3) == 0)
        await errands.stop()
    }
}
