import CloudKitWire
import NephosDomain
import NephosRunner
import NephosStorage

/// Forgets who has seen a message, in batches: its salt ``MessageSaltRow/keptFor`` after its end, after which no device can be
/// found in a row, and the rows as well if the message is gone; or all of it if an editor wants it shown again.
struct ForgetSeen: Sendable {
    static let job = "messages-seen"
    /// Rows per transaction.
    private static let most = 500
    private static let news = NewsRow.of([Messages.topic])

    let message: Name
    /// Whether it was requested, regardless of the message's end.
    var isAsked = false
    let now: Milliseconds

    enum Outcome: Sendable {
        /// There is more to remove.
        case more
        /// The next time something is due; nil for never.
        case done(Milliseconds?)
    }

    private var rows: Scan<SeenRow> { SeenRow.page(of: message, after: [], limit: Self.most) }
    private var salt: Scan<MessageSaltRow> { MessageSaltRow.of(message) }

    var reading: ReadSet {
        var set = ReadSet()
        set.databases = [Messages.database]
        set.records = [RecordKey(zone: .name(Messages.database, defaultZoneName), name: message)]
        set.ask(salt)
        set.ask(rows)
        if isAsked { set.ask(MirrorRow.of(message)) }
        set.ask(Self.news)
        return set
    }

    func decide(_ reading: Reading) throws -> Decision<Outcome> {
        var set = WriteSet()
        guard let old = reading[salt].first else { return .write(set, .done(nil)) }
        let record = try record(reading)
        // The message may have changed unnoticed while the settings did not name its type.
        let end = Message.end(of: record, now: now)
        var salt = old
        if end == 0 || end > now || old.endsAt == 0 || old.endsAt > now { salt.endsAt = end }
        let isDue = salt.forgottenAt.map { $0 <= now } ?? false
        let isGone = record == nil && isDue
        guard isAsked || isGone || isDue && !old.salt.isEmpty else {
            if salt != old { set.put(salt, replacing: old) }
            return .write(set, .done(isDue ? nil : salt.forgottenAt))
        }
        let rows = isAsked || isGone ? reading[rows] : []
        for row in rows { set.remove(row) }
        if rows.count == Self.most { return .write(set, .more) }
        if isGone, !isAsked {
            set.remove(old)
        } else {
            salt.salt = []
            if isAsked {
                salt.round += 1
                renumber(reading, &set)
            }
            set.put(salt, replacing: old)
        }
        // Cached messages contain their salts.
        set.post(Messages.topic, replacing: reading[Self.news].first, at: now)
        return .write(set, .done(nil))
    }

    /// Clears the number, so that another is assigned: apps that remember a message by its number show it again then.
    private func renumber(_ reading: Reading, _ set: inout WriteSet) {
        guard let old = reading[MirrorRow.of(message)].first, old.identifier != 0 else { return }
        var row = old
        row.identifier = 0
        set.put(row, replacing: old)
        set.ask(for: FollowMirror.job, at: now)
    }

    /// nil if the record is gone, or is no longer a message.
    private func record(_ reading: Reading) throws -> RecordRow? {
        guard case .record(let record)? = reading.records.first,
            try reading.catalog.messages()?.type == reading.catalog.type(record.type)?.row.name
        else { return nil }
        return record
    }
}

extension Job {
    static func forgetSeen(_ worker: Worker) -> Job {
        Job(ForgetSeen.job, dueAfterWriting: nil) { run, store in
            var (last, next): (Name?, Milliseconds?)
            repeat {
                let salts = try await worker.rows(MessageSaltRow.page(after: last, limit: 500), from: store)
                for salt in salts {
                    // Others that are not due need no change: the rule keeps their ends up to date.
                    if let time = salt.forgottenAt, time > run.now {
                        next = min(next ?? time, time)
                        continue
                    }
                    let step = ForgetSeen(message: salt.message, now: run.now)
                    var outcome = ForgetSeen.Outcome.more
                    while case .more = outcome {
                        outcome = try await worker.runner.commit(step.reading, to: store, decide: step.decide)
                        try await run.keep()
                    }
                    if case .done(let time?) = outcome { next = min(next ?? time, time) }
                }
                last = salts.last?.message
            } while last != nil
            return next.map { .again(at: $0) } ?? .finished
        }
    }
}
