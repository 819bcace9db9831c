import CloudKitWire
import NephosDomain
import NephosStorage

/// Rejects signatures with forbidden texts, and those of users beyond the limit; counts the others by user and by day.
struct SignatureRule: RecordRule {
    func concerns(_ type: Name, in catalog: Catalog) -> Bool { type == GuestBook.signature }

    func reading(_ changes: RecordChanges) -> RequestedRows {
        var set = RequestedRows()
        guard changes.head.kind == .publicLane else { return set }
        set.ask(guests(changes))
        set.ask(changes.news(GuestBook.name))
        return set
    }

    private func guests(_ changes: RecordChanges) -> Scan<GuestRow> {
        GuestRow.of(Set(changes.asked.compactMap(\.guest)), in: changes.head.database)
    }

    func refusals(_ changes: RecordChanges, _ reading: FoundRows) -> [Int: Refusal] {
        guard changes.head.kind == .publicLane else { return [:] }
        let settings: GuestBookSettings
        do throws(SectionFailure) { settings = try changes.catalog.guestBook() } catch {
            let refusal = Refusal.badRequest(
                "the guest book is closed: its settings cannot be read: \(error.description)")
            return Dictionary(uniqueKeysWithValues: changes.all.indices.map { ($0, refusal) })
        }
        var refusals: [Int: Refusal] = [:]
        var counts = changes.counts(reading[guests(changes)])
        for (place, change) in changes.all.enumerated().reversed() where change.new != nil {
            let text = change.new?.fields.text ?? ""
            if let word = settings.forbidden.first(where: text.contains) {
                refusals[place] = .badRequest("a signature must not contain \(word)")
            } else if change.old == nil, let guest = change.guest, counts[guest] ?? 0 > settings.most {
                counts[guest, default: 0] -= 1
                refusals[place] = .badRequest("a person can sign at most \(settings.most) times")
            }
        }
        return refusals
    }

    func follow(_ changes: RecordChanges, _ reading: FoundRows, _ rows: inout RuleWrites) {
        guard changes.head.kind == .publicLane else { return }
        let stored = reading[guests(changes)]
        for (guest, count) in changes.counts(stored).sorted(by: {
            ($0.key.high, $0.key.low) < ($1.key.high, $1.key.low)
        }) {
            let old = stored.first { $0.user == guest }
            let row = GuestRow(database: changes.head.database, user: guest, signatures: count)
            if row != old { rows.put(row, replacing: old) }
        }
        var annex = GuestAnnex(rows.annex(of: GuestBook.name))
        for change in changes.all {
            annex.count(
                signed: change.old == nil ? 1 : 0, removed: change.new == nil ? 1 : 0, at: changes.now)
        }
        _ = rows.setAnnex(annex.bytes, of: GuestBook.name)
        rows.ask(for: GuestBook.name, at: changes.now + 1_000)
        rows.post(GuestBook.name, changes, reading)
    }
}

extension RecordChanges {
    /// The new number of signatures of each user concerned.
    fileprivate func counts(_ stored: [GuestRow]) -> [UserID: Int64] {
        var counts = Dictionary(uniqueKeysWithValues: stored.map { ($0.user, $0.signatures) })
        for change in all {
            guard let guest = change.guest else { continue }
            counts[guest, default: 0] += (change.old == nil ? 1 : 0) - (change.new == nil ? 1 : 0)
        }
        return counts
    }
}

extension RecordChange {
    /// The user who signed.
    fileprivate var guest: UserID? { new?.createdBy ?? old?.createdBy }
}

extension Bytes {
    /// The text of a signature.
    fileprivate var text: String? {
        var found: StoredValue?
        CanonicalFields.read(["text"], in: self) { _, value in found = value }
        return found?.bytes.map { String(decoding: $0, as: UTF8.self) }
    }
}
