import CloudKitWire
import NephosDomain
import NephosStorage

/// What somebody did with a message.
enum SeenEvent: String, Sendable, CaseIterable { case shown, acted, dismissed }

/// Records that somebody has seen a message, and what they did first; repeating it changes nothing. What a device has seen before
/// somebody signed in is taken over for that person.
struct NoteSeen: Sendable {
    let message: Name
    /// ``MessageSaltRow/round``; nil for the current one.
    let round: Int64?
    let seer: MessageViewer
    let event: SeenEvent
    let button: String
    let now: Milliseconds
    /// The salt for a message that nobody has seen yet.
    let salt: [UInt8]

    private static let news = NewsRow.of([Messages.topic])

    var reading: ReadSet {
        var set = ReadSet()
        set.databases = [Messages.database]
        set.records = [RecordKey(zone: .name(Messages.database, defaultZoneName), name: message)]
        set.ask(MessageSaltRow.of(message))
        set.ask(Self.news)
        return set
    }

    /// - Throws: ``Refusal/notFound(_:)`` for a record that is not a message, or one that was never shown.
    func decide(_ reading: Reading) throws -> Decision<Void> {
        let stored = reading[MessageSaltRow.of(message)].first
        let isKnown = stored.map { !$0.salt.isEmpty } ?? false
        guard reading.databases.first.flatMap(\.self) != nil, try isKnown || hasBegun(reading) else {
            // The same for a hidden record as for none: nobody learns of drafts here.
            throw Refusal.notFound(
                "there is no message '\(message.excerpt)' that can be reported: send the id of one that messages returned"
            )
        }
        var salt =
            stored ?? MessageSaltRow(message: message, salt: [], endsAt: Message.end(of: record(reading), now: now))
        if !isKnown { salt.salt = self.salt }
        // A late report, from before the message was shown again.
        if let round, round < salt.round { return .write(WriteSet(), ()) }
        let scan = SeenRow.keyed(seer.keys(salt.salt).map { (message, $0) })
        var asked = RequestedRows()
        asked.ask(scan)
        if let more = reading.unread(of: asked) { return .need(more) }
        let rows = reading[scan]
        let ofDevice = seer.deviceKey(salt.salt).flatMap { key in rows.first { $0.seer == key } }
        guard let key = seer.personKey ?? seer.deviceKey(salt.salt) else { return .write(WriteSet(), ()) }
        let old = rows.first { $0.seer == key }
        let row = noted(old ?? ofDevice, as: key)
        var set = WriteSet()
        if row != old { set.put(row, replacing: old) }
        if seer.person != nil, let ofDevice, !ofDevice.isTakenOver {
            var taken = ofDevice
            taken.isTakenOver = true
            set.put(taken, replacing: ofDevice)
        }
        if !isKnown {
            set.put(salt, replacing: stored)
            if let time = salt.forgottenAt { set.ask(for: ForgetSeen.job, at: time) }
            // Cached messages contain their salts.
            set.post(Messages.topic, replacing: reading[Self.news].first, at: now)
        }
        return .write(set, ())
    }

    /// Whether the record is a message whose start has passed, so that somebody may have been shown it.
    private func hasBegun(_ reading: Reading) throws -> Bool {
        guard let record = record(reading),
            try reading.catalog.messages()?.type == reading.catalog.type(record.type)?.row.name
        else { return false }
        do throws(MessageFailure) {
            let message = try Message(record.name, fields: record.fields)
            return message.publishedAt.map { $0 <= now } ?? false
                && message.until.map { now < $0 + MessageSaltRow.keptFor } ?? true
        } catch {
            return false
        }
    }

    private func record(_ reading: Reading) -> RecordRow? {
        guard case .record(let record)? = reading.records.first else { return nil }
        return record
    }

    private func noted(_ before: SeenRow?, as key: [UInt8]) -> SeenRow {
        var row =
            before ?? SeenRow(message: message, seer: key, shownAt: now, actedAt: 0, dismissedAt: 0, button: "")
        (row.seer, row.isTakenOver) = (key, row.seer == key && row.isTakenOver)
        switch event {
        case .acted where row.actedAt == 0: row.actedAt = now
        case .dismissed where row.dismissedAt == 0: row.dismissedAt = now
        case .shown, .acted, .dismissed: break
        }
        if row.button.isEmpty { row.button = button }
        return row
    }
}
