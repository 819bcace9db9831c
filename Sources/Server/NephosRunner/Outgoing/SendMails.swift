import NephosDomain
import NephosStorage

/// Sends the mails in the outbox, each by one of all servers (docs/decisions/0047).
///
/// Before sending a mail, a server postpones its row in a transaction that only one server can win; so no other server sends it, not even one
/// that has taken over the job meanwhile. The row is deleted after the mail was accepted. If the process dies in between, the mail is sent
/// again with the same Message-ID.
package struct SendMails: Sendable {
    /// The result for one mail, for log and metrics.
    package enum Outcome: String, Sendable, CaseIterable { case sent, failed, givenUp = "given_up" }

    /// The report of an attempt: it contains nothing of the mail but its purpose, unless it is written to a folder.
    package struct Report: Sendable {
        package let outcome: Outcome
        package let purpose: String
        package let attempt: Int64
        package var failure: MailFailure?
        /// The text of a mail to show to developers in the log.
        package var shown: String?

        fileprivate init(_ outcome: Outcome, of row: MailRow, because failure: MailFailure? = nil, shown: String? = nil)
        {
            (self.outcome, purpose, attempt) = (outcome, row.purpose, row.attempts)
            (self.failure, self.shown) = (failure, shown)
        }
    }

    /// Must not block.
    package typealias Observer = @Sendable (Report) -> Void

    /// Delays between attempts; the last is repeated.
    static let waits: [Milliseconds] = [60_000, 300_000, 900_000, 1_800_000, 3_600_000, 7_200_000]
    /// How long a row is claimed: longer than an attempt takes.
    static let claimed: Milliseconds = 600_000
    /// The maximum number of mails that one server sends at a time.
    private static let atOnce = 4
    /// The interval between two polls without a request.
    private static let pollInterval: Milliseconds = 600_000

    private let worker: Worker
    private let mail: any OutgoingMail
    private let state: MailState
    private let observer: Observer

    package init(
        _ worker: Worker, by mail: any OutgoingMail, _ state: MailState, observer: @escaping Observer = { _ in }
    ) {
        (self.worker, self.mail, self.state, self.observer) = (worker, mail, state, observer)
    }

    package var job: Job { Job(Job.mails) { run in try await all(run) } }

    private func all(_ run: JobRun) async throws -> Job.End {
        try await worker.run { [state, worker] in try state.refresh(from: worker.engine) }
        while true {
            // Without a transport nothing is attempted, so that all mails are sent once there is one.
            let due = try await rows(
                state.isSetUp
                    ? MailRow.due(by: run.now, limit: Self.atOnce) : MailRow.expired(by: run.now, limit: Self.atOnce))
            guard !due.isEmpty else { break }
            let isOpen = await withTaskGroup { group in
                for row in due {
                    // In its own task: a server that stops completes what it has begun, so that nobody gets a mail twice.
                    group.addTask { await Task { await attempt(row, now: run.now) }.value }
                }
                return await group.reduce(true) { $0 && $1 }
            }
            try await run.keep()
            guard isOpen else { return .again(at: run.now + Self.waits[0]) }
        }
        guard state.isSetUp else { return .again(at: run.now + Self.pollInterval) }
        let next = try await rows(MailRow.due(by: .max, limit: 1)).first
        return .again(at: min(next?.nextAt ?? .max, run.now + Self.pollInterval))
    }

    /// - Returns: Whether other mails can be sent.
    private func attempt(_ row: MailRow, now: Milliseconds) async -> Bool {
        var isOpen = true
        await worker.attempt(failed: { _ in isOpen = false }) { isOpen = try await send(row, now: now) }
        return isOpen
    }

    private func send(_ row: MailRow, now: Milliseconds) async throws -> Bool {
        var claimed = row
        claimed.attempts += 1
        claimed.nextAt = now + Self.claimed
        guard row.until > now else {
            if try await change(row, to: nil) { observer(Report(.givenUp, of: row)) }
            return true
        }
        guard try await change(row, to: claimed) else { return true }
        guard let failure = await failure(of: claimed) else {
            _ = try await change(claimed, to: nil)
            observer(Report(.sent, of: claimed, shown: state.setup?.way == .folder ? row.text : nil))
            return true
        }
        var later: MailRow? = claimed
        later?.nextAt = min(now + Self.waits[min(Int(row.attempts), Self.waits.count - 1)], row.until)
        if failure.kind == .final { later = nil }
        _ = try await change(claimed, to: later)
        observer(Report(later == nil ? .givenUp : .failed, of: claimed, because: failure))
        return failure.kind != .way
    }

    private func failure(of row: MailRow) async -> MailFailure? {
        do throws(MailFailure) { try await send(row) } catch { return error }
        return nil
    }

    private func send(_ row: MailRow) async throws(MailFailure) {
        guard let setup = state.setup else { throw .notSetUp }
        guard let subject = row.subject, let text = row.text else {
            throw MailFailure("a mail is sealed under a key that is missing here", .passing)
        }
        guard let address = try? MailAddress(row.address) else {
            throw MailFailure("a mail has an address that is not valid", .final)
        }
        let message = MailMessage(
            id: row.id, sender: setup.sender, to: address, subject: subject, text: text, date: row.createdAt)
        _ = try await mail.send(message, by: setup.way)
    }

    // MARK: Rows

    private func rows(_ scan: Scan<MailRow>) async throws -> [MailRow] {
        try await worker.run { [worker] in try worker.engine.directory.rows(scan) }
    }

    /// - Parameter new: nil removes it.
    /// - Returns: Whether the row had not changed since it was read.
    private func change(_ old: MailRow, to new: MailRow?) async throws -> Bool {
        let scan = MailRow.keyed(old.id, lock: .update)
        var set = ReadSet()
        set.ask(scan)
        return try await worker.run { [worker, set] in
            try worker.engine.directory.commit(set) { reading in
                var writes = WriteSet()
                // Put the stored row: keys of secrets may have changed meanwhile.
                guard let row = reading[scan].first, row == old else { return .write(writes, false) }
                if let new { writes.put(new, replacing: row) } else { writes.remove(row) }
                return .write(writes, true)
            }
        }
    }
}
