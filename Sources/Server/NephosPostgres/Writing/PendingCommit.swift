import CloudKitWire
import NephosStorage

/// What waits to be written: a decision of the domain, or a chore of the engine.
protocol PendingCommit: Sendable {
    /// The databases that it names. One with a single database may share its transaction with others of that.
    var databases: [DatabaseNumber] { get }
    /// Locks, reads, decides and writes inside the transaction under way.
    ///
    /// - Parameters:
    ///   - isAlone: Nothing else is done in this transaction.
    ///   - locking: Heads to lock beside its own.
    /// - Throws: What the item fails with. Nothing of it is written then, unless the transaction is broken.
    func attempt(in session: WriteSession, isAlone: Bool, locking: [DatabaseNumber]) throws -> Attempt
    /// Called once, when what ``attempt(in:isAlone:locking:)`` wrote is durable.
    func succeed()
    /// Called once, when nothing was written, or nobody knows.
    func fail(_ error: any Error)
}

/// What an item did to its transaction.
enum Attempt {
    /// It may share the transaction with others; this is how many bytes of rows it wrote.
    case done(bytes: Int, CommitReport)
    /// It wants a transaction of its own, with these heads locked too. Nothing was written.
    case wantsToBeAlone(locking: [DatabaseNumber])
}

/// A decision of the domain and the answer that waits for the disk.
final class PendingDecision<Answer: Sendable>: PendingCommit, @unchecked Sendable {
    private let set: ReadSet
    private let decide: @Sendable (Reading) throws -> Decision<Answer>
    private let completion: @Sendable (Result<Answer, any Error>) -> Void
    private let tell: @Sendable ([StorageNews]) -> Void
    /// Only the thread that runs the item touches these.
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

    var databases: [DatabaseNumber] { self.set.databases }

    func attempt(in session: WriteSession, isAlone: Bool, locking: [DatabaseNumber]) throws -> Attempt {
        var wanted = set
        var reading = try session.load(set, locking: set.databases + locking)
        while true {
            switch try decide(reading) {
            case .need(let more):
                // A head below one that is locked cannot be locked now: everything starts again, from the first read
                // set, with all locks that are known to be wanted.
                let missing = more.databases.filter { !session.locked.contains($0) }
                if !missing.isEmpty { return .wantsToBeAlone(locking: locking + missing) }
                wanted.append(more)
                try session.load(more: more, into: &reading)
            case .write(var writes, let answer):
                try writes.seal(by: session.store.secretKeys, reading.catalog.head)
                let bytes = writes.byteCount
                let report = try session.report(of: writes, reading)
                let rows = report.rows + report.entries
                guard writes.mayTouch(rows) else {
                    try reading.note(oversized: rows)
                    continue
                }
                let isBig = WriteSet.isBig(bytes: bytes, rows: rows) || writes.touchesCatalog
                if isBig && !isAlone { return .wantsToBeAlone(locking: locking) }
                if writes.touchesCatalog, try !session.lockCatalog(asSeenIn: reading) {
                    // The catalog moved before it was locked: what was read with it counts no more.
                    let oversized = reading.oversized
                    reading = try session.load(wanted, locking: [])
                    reading.oversized = oversized
                    continue
                }
                try session.apply(writes, reading)
                self.answer = answer
                news = StorageNews.of(writes, reading.catalog.head.tenant)
                return .done(bytes: bytes, report)
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
    /// Only the thread that runs the item touches it.
    private var answer: Answer?

    init(
        _ work: @escaping @Sendable (WriteSession) throws(StorageError) -> Answer,
        _ completion: @escaping @Sendable (Result<Answer, any Error>) -> Void
    ) {
        self.work = work
        self.completion = completion
    }

    var databases: [DatabaseNumber] { [] }

    func attempt(in session: WriteSession, isAlone: Bool, locking: [DatabaseNumber]) throws -> Attempt {
        answer = try work(session)
        return .done(bytes: 0, CommitReport(commits: 1))
    }

    func succeed() {
        if let answer { completion(.success(answer)) }
    }

    func fail(_ error: any Error) { completion(.failure(error)) }
}
