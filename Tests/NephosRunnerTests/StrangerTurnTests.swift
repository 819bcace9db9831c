import NephosNetwork
import Synchronization
import Testing

@testable import NephosRunner

@Suite("The queue of callers without a valid token") struct StrangerTurnTests {
    @Test("At most two have a thread at the same time, in order of arrival; beyond a limit none wait")
    func turns() {
        let strangers = Strangers()
        let order = Mutex<[Int]>([])
        for number in 0..<5 { strangers.enter(of: nil) { if $0 { order.withLock { $0.append(number) } } } }
        #expect(order.withLock { $0 } == [0, 1])
        strangers.leave()
        #expect(order.withLock { $0 } == [0, 1, 2])
        for _ in 0..<2 { strangers.leave() }
        #expect(order.withLock { $0 } == [0, 1, 2, 3, 4])
        for _ in 0..<2 { strangers.leave() }
        let refused = Mutex(0)
        for _ in 0..<(Strangers.threadsMax + Strangers.waitingMax + 3) {
            strangers.enter(of: nil) { if !$0 { refused.withLock { $0 += 1 } } }
        }
        #expect(refused.withLock { $0 } == 3)
    }

    // docs/limits.md, "Networks".
    @Test("A network has an eighth of the places, and networks take turns")
    func networks() throws {
        let strangers = Strangers()
        let order = Mutex<[String]>([])
        func enter(_ name: String, _ address: String) throws -> Bool {
            let isRefused = Mutex(false)
            strangers.enter(of: ClientNetwork(try #require(NetworkAddress(address)))) { isIn in
                if isIn { order.withLock { $0.append(name) } } else { isRefused.withLock { $0 = true } }
            }
            return !isRefused.withLock { $0 }
        }
        for _ in 0..<(Strangers.threadsMax + Strangers.waitingMaxOfNetwork) {
            #expect(try enter("many", "192.0.2.1"))
        }
        #expect(try !enter("many", "192.0.2.1"))
        #expect(try enter("few", "192.0.2.2"))
        order.withLock { $0 = [] }
        for _ in 0..<3 { strangers.leave() }
        #expect(order.withLock { $0 } == ["many", "few", "many"])
    }
}
