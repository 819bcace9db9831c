import CLibPQ
import NephosStorage

/// One connection over libpq. Its calls block; it is used by one thread at a time.
final class Connection: @unchecked Sendable {
    private let raw: OpaquePointer
    private let recording: CallRecording?
    private var prepared: Set<Int> = []
    /// Until when plans are kept, and for how long the next ones will be kept.
    private var plans = (until: ContinuousClock.now + .seconds(1), next: Duration.seconds(2))
    /// Why the last calls failed.
    private(set) var failure: Failure?
    /// How many of the last calls returned a result; if one failed, it is the one after them.
    private var answered = 0
    /// ``answered`` when the server sent the first warning during the last calls.
    private var warnedAt: Int?
    /// How often it waited for the server, for tests and statistics.
    private(set) var roundTrips = 0
    /// How many hints failed after their commit.
    private(set) var droppedHints = 0

    /// - Throws: ``StorageError/unavailable(_:)`` and others, if no session can be opened.
    init(_ target: ConnectionTarget, recording: CallRecording? = nil) throws(StorageError) {
        self.recording = recording
        let raw = target.connect()
        guard let raw else { throw .failed("libpq is out of memory for a connection") }
        self.raw = raw
        guard PQstatus(raw) == CONNECTION_OK else {
            throw Self.refused(String(cString: PQerrorMessage(raw)))
        }
        // Before anything is sent, because libpq would print messages to standard error.
        PQsetNoticeReceiver(raw, receiveNotice, Unmanaged.passUnretained(self).toOpaque())
        try prepareSession(target)
        guard PQenterPipelineMode(raw) == 1 else { throw note("", String(cString: PQerrorMessage(raw))) }
    }

    fileprivate func noteWarning() { warnedAt = warnedAt ?? answered }

    deinit { PQfinish(raw) }

    /// libpq's message about a refused connection has no SQLSTATE, but contains host, user and database, and never a password.
    private static func refused(_ message: String) -> StorageError {
        .unavailable("no connection to PostgreSQL: \(message.trimmingLines)")
    }

    private func prepareSession(_ target: ConnectionTarget) throws(StorageError) {
        guard let result = PQexec(raw, target.sessionSettings) else { throw lost() }
        defer { PQclear(result) }
        let status = PQresultStatus(result)
        guard status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK else { throw note(result) }
    }

    // MARK: Running

    /// Whether a transaction is in progress, or broken and not rolled back yet.
    var isInTransaction: Bool { PQtransactionStatus(raw) != PQTRANS_IDLE }

    /// Whether it cannot be used any more.
    var isLost: Bool { PQstatus(raw) != CONNECTION_OK || failure?.isLost == true }

    /// Sends all calls and then reads all results: one round trip, in libpq's pipeline mode. The server runs them one after
    /// the other; if one fails, those after it are not run. Blocks.
    @discardableResult
    func run(_ calls: [Call]) throws(StorageError) -> [Rows] {
        guard !calls.isEmpty else { return [] }
        try forgetOldPlans()
        roundTrips += 1
        recording?.note(calls)
        failure = nil
        answered = 0
        warnedAt = nil
        var preparing: [Statement?] = []
        preparing.reserveCapacity(calls.count)
        var sentNow: Set<Int> = []
        for call in calls {
            let isNew =
                !call.statement.isPlain && !prepared.contains(call.statement.number)
                && sentNow.insert(call.statement.number).inserted
            preparing.append(isNew ? call.statement : nil)
            if isNew { try send(preparationOf: call.statement) }
            try send(call)
        }
        guard PQpipelineSync(raw) == 1 else { throw lost() }
        var answers: [Rows] = []
        answers.reserveCapacity(calls.count)
        for statement in preparing {
            if let statement, try next() != nil, failure == nil { prepared.insert(statement.number) }
            if let rows = try next() { answers.append(rows) }
            answered = answers.count
        }
        // The marker that the pipeline is empty again.
        guard let sync = PQgetResult(raw) else { throw lost() }
        PQclear(sync)
        if let failure { throw failure.storageError }
        return answers
    }

    /// Commits, together with all pending calls. Blocks.
    ///
    /// A failure before COMMIT rolls back everything. If COMMIT itself fails, only some error codes mean that nothing was
    /// committed: after an internal error, or without a response from a node behind the server, the outcome is not known.
    ///
    /// A server that replicates synchronously waits for its standbys on commit. If that wait is canceled, it reports the
    /// commit with a warning: the commit may be on one machine only, which is treated like a lost connection.
    ///
    /// - Parameter hints: Sent in the same round trip, as a transaction after COMMIT. If they fail, that is only counted.
    func runCommitting(_ calls: [Call], then hints: [Call] = []) throws(StorageError) {
        do throws(StorageError) {
            try run(hints.isEmpty ? calls : calls + [Call(.begin)] + hints + [Call(.commit)])
        } catch {
            if answered < calls.count {
                guard let failure, !failure.isLost, !failure.rollsBack, answered == calls.count - 1 else { throw error }
                self.failure?.isOfUnknownFate = true
                throw self.failure?.storageError ?? error
            }
            droppedHints += hints.count
            if !isLost { failure = nil }
        }
        guard let warnedAt, warnedAt < calls.count else { return }
        failure = Failure(state: "", message: "a commit was not replicated", isLost: true)
        throw .unavailable("PostgreSQL reported a commit with a warning: it is perhaps not replicated")
    }

    /// Between transactions, discards old plans. A plan is made for the sizes that tables had at the time, and a new store
    /// grows fast: so the first plans are kept for a second, the next for two, and so on up to ten minutes.
    private func forgetOldPlans() throws(StorageError) {
        guard !isInTransaction, ContinuousClock.now >= plans.until else { return }
        plans = (ContinuousClock.now + plans.next, min(plans.next * 2, .seconds(600)))
        try run([Call(.discardPlans)])
        // Not counted, since transactions wait for this only once in a while.
        roundTrips -= 1
    }

    /// The result of the next statement; nil if it failed, or was not run because another one failed.
    private func next() throws(StorageError) -> Rows? {
        guard let result = PQgetResult(raw) else { throw lost() }
        switch PQresultStatus(result) {
        case PGRES_TUPLES_OK, PGRES_COMMAND_OK:
            // The results of each statement end with a null.
            _ = PQgetResult(raw)
            return Rows(result)
        case PGRES_PIPELINE_ABORTED:
            PQclear(result)
        default:
            _ = note(result)
            PQclear(result)
            if isLost { throw failure?.storageError ?? lost() }
        }
        _ = PQgetResult(raw)
        return nil
    }

    private func send(preparationOf statement: Statement) throws(StorageError) {
        guard PQsendPrepare(raw, statement.name, statement.sql, 0, nil) == 1 else { throw lost() }
    }

    private func send(_ call: Call) throws(StorageError) {
        if call.statement.isPlain {
            guard PQsendQueryParams(raw, call.statement.sql, 0, nil, nil, nil, nil, 1) == 1 else { throw lost() }
            return
        }
        let values = call.values
        let sent = values.bytes.withUnsafeBytes { memory in
            var pointers: [UnsafePointer<CChar>?] = []
            var lengths: [Int32] = []
            pointers.reserveCapacity(values.count)
            lengths.reserveCapacity(values.count)
            var start = 1
            for (index, end) in values.ends.enumerated() {
                let value = memory.baseAddress.map { ($0 + start).assumingMemoryBound(to: CChar.self) }
                pointers.append(values.nulls.contains(index) ? nil : value)
                lengths.append(Int32(end - start))
                start = end
            }
            let formats = [Int32](repeating: 1, count: values.count)
            return PQsendQueryPrepared(
                raw, call.statement.name, Int32(values.count), pointers, lengths, formats, 1)
        }
        guard sent == 1 else { throw lost() }
    }

    // MARK: Failures

    /// libpq's PG_DIAG_SQLSTATE, a macro that Swift does not import, like the following ones.
    private static let stateField = Int32(UInt8(ascii: "C"))
    private static let severityField = Int32(UInt8(ascii: "V"))
    private static let messageField = Int32(UInt8(ascii: "M"))

    private func note(_ result: OpaquePointer) -> StorageError {
        let state = Self.text(result, Self.stateField) ?? ""
        let message = PQresultErrorField(result, Self.messageField) ?? PQresultErrorMessage(result)
        let severity = Self.text(result, Self.severityField)
        return note(
            state, message.map { String(cString: $0) } ?? "no message",
            endsSession: severity == "FATAL" || severity == "PANIC")
    }

    private static func text(_ result: OpaquePointer, _ field: Int32) -> String? {
        PQresultErrorField(result, field).map { String(cString: $0) }
    }

    /// Keeps the first failure: the following ones are its consequences.
    private func note(_ state: String, _ message: String, endsSession: Bool = false) -> StorageError {
        let isLost = endsSession || PQstatus(raw) != CONNECTION_OK || state.isEmpty
        let new = Failure(state: state, message: message.trimmingLines, isLost: isLost)
        if failure == nil { failure = new }
        return (failure ?? new).storageError
    }

    private func lost() -> StorageError {
        failure?.isLost = true
        return note("", String(cString: PQerrorMessage(raw)))
    }
}

/// Warnings are not errors, and libpq would print them.
private let receiveNotice: @convention(c) (UnsafeMutableRawPointer?, OpaquePointer?) -> Void = { connection, _ in
    guard let connection else { return }
    Unmanaged<Connection>.fromOpaque(connection).takeUnretainedValue().noteWarning()
}

extension String {
    /// Messages of libpq end with a line break, and some have several lines. The operator's advice replaces its questions
    /// ("Is the server running on that host?").
    fileprivate var trimmingLines: String {
        split(separator: "\n")
            .map { $0.split(whereSeparator: \.isWhitespace).joined(separator: " ") }
            .filter { !$0.hasSuffix("?") }
            .joined(separator: " ")
    }
}
