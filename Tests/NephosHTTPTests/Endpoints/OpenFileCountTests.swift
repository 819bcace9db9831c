import NephosDomain
import NephosRunner
import Testing

@testable import NephosEndpoints

/// docs/running.md, `NEPHOS_CONNECTIONS_MAX`: files that are open for requests.
@Suite("Open files") struct OpenFileCountTests {
    @Test func thereAreNoMoreThanMayBeAndWhatIsLetGoOfCountsNoMore() throws {
        let count = OpenFileCount(most: 2)
        var slots = [try count.take(), try count.take()]
        for _ in 0..<3 {
            let refused = #expect(throws: Refusal.self) { try count.take() }
            #expect("\(refused as Any)".contains("too many files"))
        }
        slots.removeLast()
        slots.append(try count.take())
        #expect(throws: Refusal.self) { try count.take() }
        slots = []
        #expect(throws: Never.self) { slots = [try count.take(), try count.take()] }
        #expect(slots.count == 2)
    }
}
