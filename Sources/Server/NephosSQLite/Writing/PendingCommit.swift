import CloudKitWire
import NephosStorage

/// What waits for the writer: a decision of the domain, or a chore of the engine.
protocol PendingCommit: Sendable {
    /// Reads, decides and writes inside the transaction under way.
    ///
    /// - Parameter isFirst: Nothing else was done in this transaction.
    /// - Throws: What the item fails with; nothing of it is written then. Other items are not touched, unless the
    ///   connection says that its transaction is broken.
    func attempt(in session: WriteSession, isFirst: Bool) throws -> Attempt
    /// Called once, when what ``attempt(in:isFirst:)`` wrote is durable.
    func succeed()
    /// Called once, when nothing was written.
    func fail(_ error: any Error)
}

/// What an item did to its transaction.
enum Attempt {
    /// It may share the transaction with others; this is how many bytes of rows it wrote.
    case done(bytes: Int, CommitReport)
    /// It wrote so much that the transaction should end here.
    case filled(CommitReport)
    /// It wants a transaction that nothing else was done in. Nothing was written.
    case wantsToBeFirst

    var report: CommitReport {
        switch self {
        case .done(_, let report), .filled(let report): report
        case .wantsToBeFirst: CommitReport()
        }
    }
}

/// A decision of the domain and the answer that waits for the disk.
final class PendingDecision<Answer: Sendable>: PendingCommit, @unchecked Sendable {
    private let set: ReadSet
    private let decide: @Sendable (Reading) throws -> Decision<Answer>
    private let completion: @Sendable (Result<Answer, any Error>) -> Void
    private let tell: @Sendable ([StorageNews]) -> Void
    /// Only the writer's thread touches these.
    private var answer: Answer?
    private var news: [StorageNews] = []

    /// - Parameter tell: Called with what is news once it is durable.
    init(
        _ set: ReadSet, _ decide: @escaping @Sendable (Reading) throws -> Decision<Answer>,
        _ completion: @escaping @Sendable (Result<Answer, any Error>) -> Void,
        tell: @escaping @Sendable ([StorageNews]) -> Void
    ) {
        self.tell = tell
        self.set = set
        self.decide = decide
        self.completion = completion
    }

    func attempt(in session: WriteSession, isFirst: Bool) throws -> Attempt {
        var wanted = set
        var reading = Reading(catalog: try session.catalog())
        try session.load(wanted, into: &reading)
        while true {
            switch try decide(reading) {
            case .need(let more):
                wanted.append(more)
                try session.load(more, into: &reading)
            case .write(var writes, let answer):
                try writes.seal(by: session.keys, reading.catalog.head)
                let bytes = writes.byteCount
                let report = try session.report(of: writes, reading)
                let rows = report.rows + report.entries
                guard writes.mayTouch(rows) else {
                    try reading.note(oversized: rows)
                    continue
                }
                let isBig = WriteSet.isBig(bytes: bytes, rows: rows)
                if isBig && !isFirst { return .wantsToBeFirst }
                try session.apply(writes, reading)
                self.answer = answer
                news = StorageNews.of(writes, reading.catalog.head.tenant)
                return isBig ? .filled(report) : .done(bytes: bytes, report)
            }
        }
    }

    func succeed() {
        if let answer { completion(.success(answer)) }
        tell(news)
    }

    func fail(_ error: any Error) { completion(.failure(error)) }
}

/// Work of the engine itself, in a transaction of its own.
final class Chore<Answer: Sendable>: PendingCommit, @unchecked Sendable {
    private let work: @Sendable (WriteSession) throws(StorageError) -> Answer
    private let completion: @Sendable (Result<Answer, any Error>) -> Void
    /// Only the writer's thread touches it.
    private var answer: Answer?

    init(
        _ work: @escaping @Sendable (WriteSession) throws(StorageError) -> Answer,
        _ completion: @escaping @Sendable (Result<Answer, any Error>) -> Void
    ) {
        self.work = work
        self.completion = completion
    }

    func attempt(in session: WriteSession, isFirst: Bool) throws -> Attempt {
        guard isFirst else { return .wantsToBeFirst }
        answer = try session.connection.allOrNothing { () throws(StorageError) in try work(session) }
        return .filled(CommitReport(commits: 1))
    }

    func succeed() {
        if let answer { completion(.success(answer)) }
    }

    func fail(_ error: any Error) { completion(.failure(error)) }
}
