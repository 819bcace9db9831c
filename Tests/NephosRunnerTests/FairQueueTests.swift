import NephosNetwork
import NephosRunner
import Testing

/// docs/limits.md, "Networks".
@Suite("A queue in which networks take turns") struct FairQueueTests {
    private enum Outcome: Equatable {
        case added
        case displaced(String)
        case refused
    }

    private final class Line {
        private var queue = FairQueue<String>(most: 32, mostOfNetwork: 8)

        var count: Int { queue.count }

        func add(_ name: String, _ network: ClientNetwork?) -> Outcome {
            switch queue.append(name, of: network) {
            case .added: .added
            case .displaced(let other): .displaced(other)
            case .refused: .refused
            }
        }

        func all() -> [String] {
            var all: [String] = []
            while let next = queue.popFirst() { all.append(next) }
            return all
        }
    }

    @Test(
        "However many networks fill it, another one gets a place, at the cost of one that has more", arguments: [4, 8])
    func full(_ greedy: Int) {
        let line = Line()
        for number in 0..<greedy {
            for _ in 0..<(32 / greedy) {
                let outcome = line.add("\(number)", ClientNetwork("192.0.2.\(number)"))
                #expect(outcome == .added)
            }
        }
        #expect(line.count == 32)
        let outcome = line.add("new", ClientNetwork("198.51.100.1"))
        #expect(outcome != .added && outcome != .refused)
        #expect(line.count == 32)
        let order = line.all()
        #expect(order.count == 32 && order.prefix(greedy + 1).contains("new"))
        let again = line.add("again", ClientNetwork("192.0.2.0"))
        #expect(again == .added && line.count == 1)
    }

    @Test("Two sites with half of the places each do not keep others out") func sites() {
        let line = Line()
        for number in 0..<16 {
            for site in 1...2 {
                let outcome = line.add("\(site)", ClientNetwork("2001:db8:\(site):\(number)::1"))
                #expect(outcome == .added)
            }
        }
        let outcome = line.add("new", ClientNetwork("2001:db8:3::1"))
        #expect(outcome == .displaced("1") || outcome == .displaced("2"))
    }

    @Test("Nobody displaces those who have as many, or one more; nor does a network that has its share") func equals() {
        let line = Line()
        for number in 0..<16 {
            for _ in 0..<2 {
                let outcome = line.add("\(number)", ClientNetwork("192.0.2.\(number)"))
                #expect(outcome == .added)
            }
        }
        let (new, old) = (ClientNetwork("198.51.100.1"), ClientNetwork("192.0.2.1"))
        let outcomes = [line.add("", old), line.add("new", new), line.add("", new)]
        #expect(outcomes[0] == .refused && outcomes[1] != .refused && outcomes[2] == .refused)
        #expect(Set(line.all()).count == 17)
        let more = (0..<9).map { _ in line.add("", old) }
        #expect(more.dropLast().allSatisfy { $0 == .added } && more.last == .refused)
    }
}
