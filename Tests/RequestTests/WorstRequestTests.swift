import NephosEndpoints
import NephosRunner
import NephosStorage
import NephosTesting
import RequestTesting
import Synchronization
import Testing

/// docs/limits.md, "The worst requests": the resources that each may use, counted by the server's own meter.
@Suite("The worst requests") struct WorstRequestTests {
    private final class Meter: Sendable {
        private let state = Mutex((read: ReadWork(), brief: ReadWork()))

        var query: QueryMeter {
            var meter = QueryMeter(looked: { work in self.state.withLock { $0.read += work } })
            meter.brief = { work in self.state.withLock { $0.brief += work } }
            return meter
        }

        func take() -> (read: ReadWork, brief: ReadWork) {
            state.withLock { state in
                defer { state = (ReadWork(), ReadWork()) }
                return state
            }
        }
    }

    /// Sends a request on a thread that may block: a query whose index is missing waits for tasks that build it.
    private static func ask(_ part: WorstRequest.Part, of cloud: SmallCloud) async -> RequestOutcome {
        let target = "/database/1/\(SmallCloud.container)/development/private/\(part.endpoint)"
        return await withTaskExecutorPreference(OwnThreads.ofTests) {
            cloud.responder.outcome(of: cloud.request("POST", target, body: part.body, as: .person))
        }
    }

    private static func status(of outcome: RequestOutcome) -> Int {
        if case .answer(let answer) = outcome { answer.status } else { 0 }
    }

    @Test(
        "A read reads no more than its page is allowed to, and no more than a megabyte of it on an event loop",
        arguments: WorstRequest.ofReading.map(\.name))
    func reading(name: String) async throws {
        let worst = try #require(WorstRequest.ofReading.first { $0.name == name })
        let meter = Meter()
        let cloud = try await SmallCloud(meter: meter.query)
        for part in worst.preparation {
            let outcome = await Self.ask(part, of: cloud)
            #expect(Self.status(of: outcome) == 200, "\(part.endpoint)")
        }
        _ = meter.take()
        // A query whose index is missing waits for it, and is then repeated.
        var outcome = await Self.ask(worst.request, of: cloud)
        for _ in 0..<100 where Self.status(of: outcome) == 503 {
            _ = meter.take()
            outcome = await Self.ask(worst.request, of: cloud)
        }
        #expect(Self.status(of: outcome) == worst.status)
        let (read, brief) = meter.take()
        let oneRecord = 1 << 20
        #expect(brief.bytes <= QueryScan.briefBytes + oneRecord, "\(brief)")
        #expect(brief.rows <= 2 * QueryScan.briefRows, "\(brief)")
        #expect(brief.comparisons <= 2 * QueryScan.briefComparisons, "\(brief)")
        #expect(read.rows <= 2 * 10_000, "\(read)")
        #expect(read.bytes <= 64 << 20 + oneRecord, "\(read)")
        #expect(read.comparisons <= 10_000_000, "\(read)")
    }

    @Test(
        "The writes of one request are bounded, and a rejected request writes nothing",
        arguments: WorstRequest.ofWriting.map(\.name))
    func writing(name: String) async throws {
        let worst = try #require(WorstRequest.ofWriting.first { $0.name == name })
        let written = Mutex<[CommitReport]>([])
        let cloud = try await SmallCloud { report in written.withLock { $0.append(report) } }
        for part in worst.preparation {
            // A query whose index is missing waits for it.
            var status = Self.status(of: await Self.ask(part, of: cloud))
            for _ in 0..<100 where status == 503 { status = Self.status(of: await Self.ask(part, of: cloud)) }
            #expect(status == 200, "\(part.endpoint)")
        }
        written.withLock { $0 = [] }
        let outcome = await Self.ask(worst.request, of: cloud)
        #expect(Self.status(of: outcome) == worst.status)
        // A decision that writes nothing is a commit of no rows.
        let reports = written.withLock { $0 }.filter { $0.rows + $0.entries > 0 }
        let writesNothing = worst.status != 200 || name == WorstRequest.cascades.name
        #expect(reports.count == (writesNothing ? 0 : 1), "\(reports)")
        #expect(reports.allSatisfy { $0.commits == 1 && $0.rows + $0.entries <= 100_000 }, "\(reports)")
        #expect(reports.allSatisfy { $0.steps <= 40_000_000 }, "\(reports)")
        if name == WorstRequest.flood.name {
            // Each of the 5,001 members of 60 records is examined, and compared with few others.
            #expect(reports.allSatisfy { (60 * 5_001...60 * 5_001 * 40).contains($0.steps) }, "\(reports)")
        }
    }

    @Test("Ignored parts of a body cause no reads and no writes")
    func nesting() async throws {
        let meter = Meter()
        let written = Mutex(0)
        let cloud = try await SmallCloud(meter: meter.query) { _ in written.withLock { $0 += 1 } }
        _ = (meter.take(), written.withLock { $0 = 0 })
        let worst = WorstRequest.nesting
        let outcome = await Self.ask(worst.request, of: cloud)
        #expect(Self.status(of: outcome) == worst.status)
        #expect(meter.take().read == ReadWork() && written.withLock { $0 } == 0)
    }

    @Test("A list of names is rejected at the limit, whatever follows")
    func names() async throws {
        let cloud = try await SmallCloud()
        let keys = Array(repeating: #""""#, count: 2_000).joined(separator: ",")
        let body = #"{"desiredKeys":[\#(keys)],"query":{"recordType":"Note"}}"#
        let target = "/database/1/\(SmallCloud.container)/development/private/records/query"
        let outcome = cloud.responder.outcome(of: cloud.request("POST", target, body: Array(body.utf8), as: .person))
        #expect(Self.status(of: outcome) == 400)
    }
}
