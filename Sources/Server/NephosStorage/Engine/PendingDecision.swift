/// A decision of the domain and the answer that waits for the disk.
package final class PendingDecision<Answer: Sendable>: @unchecked Sendable {
    /// What it must see first.
    package let set: ReadSet
    private let decide: @Sendable (Reading) throws -> Decision<Answer>
    private let completion: @Sendable (Result<Answer, any Error>) -> Void
    private let tell: @Sendable ([StorageNews]) -> Void
    /// Only the thread that runs it touches these.
    private var answer: Answer?
    private var news: [StorageNews] = []

    /// - Parameter tell: Called with what is news once it is durable.
    package init(
        _ set: ReadSet, _ decide: @escaping @Sendable (Reading) throws -> Decision<Answer>,
        _ completion: @escaping @Sendable (Result<Answer, any Error>) -> Void,
        tell: @escaping @Sendable ([StorageNews]) -> Void
    ) {
        self.set = set
        self.decide = decide
        self.completion = completion
        self.tell = tell
    }

    /// What it writes.
    package struct Outcome {
        package let writes: WriteSet
        fileprivate let answer: Answer
        package let bytes: Int
        package let report: CommitReport
        /// It gets a transaction of its own (``WriteSet/isBig(bytes:rows:)``).
        package let isBig: Bool
    }

    /// Has it decide, until it writes what one commit may touch.
    ///
    /// - Parameters:
    ///   - reading: What it sees, and at last what it saw.
    ///   - keys: Its secrets are sealed by these.
    ///   - load: Loads what it asks for after that.
    ///   - report: What it would touch.
    package func outcome(
        _ reading: inout Reading, _ keys: SecretKeys, load: (ReadSet, inout Reading) throws -> Void,
        report: (WriteSet, Reading) throws -> CommitReport
    ) throws -> Outcome {
        while true {
            switch try decide(reading) {
            case .need(let more): try load(more, &reading)
            case .write(var writes, let answer):
                try writes.seal(by: keys, reading.catalog.head)
                let report = try report(writes, reading)
                let (bytes, rows) = (writes.byteCount, report.rows + report.entries)
                guard writes.mayTouch(rows) else {
                    try reading.note(oversized: rows)
                    continue
                }
                return Outcome(
                    writes: writes, answer: answer, bytes: bytes, report: report,
                    isBig: WriteSet.isBig(bytes: bytes, rows: rows))
            }
        }
    }

    /// Keeps what to say once it is durable. - Parameter reading: What it saw.
    package func wrote(_ outcome: Outcome, _ reading: Reading) {
        answer = outcome.answer
        news = StorageNews.of(outcome.writes, reading.catalog.head.tenant)
    }

    package func succeed() {
        if let answer { completion(.success(answer)) }
        tell(news)
    }

    package func fail(_ error: any Error) { completion(.failure(error)) }
}

/// Work of an engine itself, in a transaction of its own.
package final class Chore<Session, Answer: Sendable>: @unchecked Sendable {
    private let work: @Sendable (Session) throws(StorageError) -> Answer
    private let completion: @Sendable (Result<Answer, any Error>) -> Void
    /// Only the thread that runs it touches it.
    private var answer: Answer?

    package init(
        _ work: @escaping @Sendable (Session) throws(StorageError) -> Answer,
        _ completion: @escaping @Sendable (Result<Answer, any Error>) -> Void
    ) {
        self.work = work
        self.completion = completion
    }

    package func run(in session: Session) throws(StorageError) { answer = try work(session) }

    package func succeed() {
        if let answer { completion(.success(answer)) }
    }

    package func fail(_ error: any Error) { completion(.failure(error)) }
}
