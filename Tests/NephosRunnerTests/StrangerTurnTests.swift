import Synchronization
import Testing

@testable import NephosRunner

@Suite("The queue of callers without a valid token") struct StrangerTurnTests {
    @Test("At most two have a thread at the same time, in order of arrival; beyond a limit none wait")
    func turns() {
        let strangers = Strangers()
        let order = Mutex<[Int]>([])
        for number in 0..<5 { strangers.enter { if $0 { order.withLock { $0.append(number) } } } }
        #expect(order.withLock { $0 } == [0, 1])
        strangers.leave()
        #expect(order.withLock { $0 } == [0, 1, 2])
        for _ in 0..<2 { strangers.leave() }
        #expect(order.withLock { $0 } == [0, 1, 2, 3, 4])
        for _ in 0..<2 { strangers.leave() }
        let refused = Mutex(0)
        for _ in 0..<(Strangers.threadsMax + Strangers.waitingMax + 3) {
            strangers.enter { if !$0 { refused.withLock { $0 += 1 } } }
        }
        #expect(refused.withLock { $0 } == 3)
    }
}
