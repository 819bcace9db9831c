import CloudKitWire
import NephosDomain
import NephosStorage

/// What somebody did with a message that they were shown.
enum SeenEvent: String, Sendable, CaseIterable { case shown, acted, dismissed }

/// Writes down that somebody has seen a message, and what they did first: the same again changes nothing. What a device has seen before
/// somebody signed in becomes theirs.
struct NoteSeen: Sendable {
    let message: Name
    let seer: Seer
    /// nil for taking over what the device has seen, and nothing else.
    let event: SeenEvent?
    let button: String
    let now: Milliseconds
    /// For a message that nobody has seen yet.
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

    /// - Throws: ``Refusal/recordNotFound`` for what is no message, or one that was never shown.
    func decide(_ reading: Reading) throws -> Decision<Void> {
        let stored = reading[MessageSaltRow.of(message)].first
        guard reading.databases.first.flatMap(\.self) != nil, try stored != nil || hasBegun(reading) else {
            if event == nil { return .write(WriteSet(), ()) }
            throw Refusal.recordNotFound
        }
        let salt = stored ?? MessageSaltRow(message: message, salt: salt)
        let scan = SeenRow.keyed(seer.keys(salt.salt).map { (message, $0) })
        var asked = AskedRows()
        asked.ask(scan)
        if let more = reading.unread(of: asked) { return .need(more) }
        let rows = reading[scan]
        let ofDevice = seer.deviceKey(salt.salt).flatMap { key in rows.first { $0.seer == key } }
        guard let key = seer.personKey ?? seer.deviceKey(salt.salt) else { return .write(WriteSet(), ()) }
        let old = rows.first { $0.seer == key }
        guard event != nil || ofDevice != nil else { return .write(WriteSet(), ()) }
        let row = noted(old ?? ofDevice, as: key)
        var set = WriteSet()
        if row != old { set.put(row, replacing: old) }
        if seer.person != nil, let ofDevice, !ofDevice.isTakenOver {
            var taken = ofDevice
            taken.isTakenOver = true
            set.put(taken, replacing: ofDevice)
        }
        if stored == nil {
            set.put(salt)
            // What is remembered of messages has their salts.
            set.post(Messages.topic, replacing: reading[Self.news].first, at: now)
        }
        return .write(set, ())
    }

    private func hasBegun(_ reading: Reading) throws -> Bool {
        guard case .record(let record)? = reading.records.first,
            try reading.catalog.messages()?.type == reading.catalog.type(record.type)?.row.name
        else { return false }
        do throws(MessageFailure) {
            return try Message(record.name, fields: record.fields).publishedAt.map { $0 <= now } ?? false
        } catch {
            return false
        }
    }

    private func noted(_ before: SeenRow?, as key: [UInt8]) -> SeenRow {
        var row =
            before ?? SeenRow(message: message, seer: key, shownAt: now, actedAt: 0, dismissedAt: 0, button: "")
        (row.seer, row.isTakenOver) = (key, row.seer == key && row.isTakenOver)
        switch event {
        case .acted where row.actedAt == 0: row.actedAt = now
        case .dismissed where row.dismissedAt == 0: row.dismissedAt = now
        case .shown, .acted, .dismissed, nil: break
        }
        if row.button.isEmpty { row.button = button }
        return row
    }
}
