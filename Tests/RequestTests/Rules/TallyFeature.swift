import CloudKitWire
import NephosDomain
import NephosRunner
import NephosStorage

/// The numbers of records of a type that were created, changed and removed in a database, and the sum of their values.
struct TallyRow: StoredRow {
    var database: DatabaseNumber
    var type: Name
    var made: Int64 = 0
    var changed: Int64 = 0
    var removed: Int64 = 0
    /// The sum of the field `count` of the existing records.
    var sum: Int64 = 0

    static let table = Table(of: Self.self, "tallies", .database, key: ["db", "type"], isCounted: true)
    static let sample = TallyRow(database: 1, type: "")

    mutating func columns(_ columns: inout some Columns) throws(StorageError) {
        try columns.database(&database)
        try columns.name("type", &type)
        try columns.int("made", &made)
        try columns.int("changed", &changed)
        try columns.int("removed", &removed)
        try columns.int("sum", &sum)
    }

    static func of(_ types: some Swift.Sequence<Name>, in database: DatabaseNumber) -> Scan<Self> {
        Scan(.database(database), among: Set(types).sorted().map { [.name($0)] })
    }
}

/// Counts records, however they are created or removed; rejects records with a configured text, and changes that do not preserve
/// the sum of a type `Coin`.
struct TallyRule: RecordRule {
    func concerns(_ type: Name, in catalog: Catalog) -> Bool { ["Coin", "Post", "Users"].contains(type) }

    var readsFields: Bool { true }

    func reading(_ changes: RecordChanges) -> RequestedRows {
        var set = RequestedRows()
        set.ask(tallies(changes))
        return set
    }

    private func tallies(_ changes: RecordChanges) -> Scan<TallyRow> {
        TallyRow.of(changes.asked.map(\.type), in: changes.head.database)
    }

    func refusals(_ changes: RecordChanges, _ reading: FoundRows) -> [Int: Refusal] {
        var refusals: [Int: Refusal] = [:]
        let coins = changes.all.filter { $0.type == "Coin" && $0.old != nil && $0.new != nil }
        let isKept = coins.reduce(0) { $0 + $1.sum } == 0
        for (place, change) in changes.all.enumerated() {
            if let reason = changes.catalog.refusal(of: change.new?.fields.text("text")) {
                refusals[place] = reason
            } else if change.type == "Coin", change.old != nil, change.new != nil, !isKept {
                refusals[place] = .badRequest("coins only change hands")
            }
        }
        return refusals
    }

    func follow(_ changes: RecordChanges, _ reading: FoundRows, _ rows: inout RuleWrites) {
        let stored = reading[tallies(changes)]
        for type in Set(changes.all.map(\.type)).sorted() {
            let old = stored.first { $0.type == type }
            var row = old ?? TallyRow(database: changes.head.database, type: type)
            for change in changes.all where change.type == type {
                switch (change.old, change.new) {
                case (nil, _): row.made += 1
                case (_, nil): row.removed += 1
                default: row.changed += 1
                }
                row.sum += change.sum
            }
            rows.put(row, replacing: old)
        }
    }
}

extension CatalogSection<String> {
    /// The text that a record may not have: one line.
    static let refused = CatalogSection(
        "tally", isDeployed: true, uses: { _ in [] }, effects: { _, _ in [] }
    ) { document throws(SectionFailure) in
        let lines = String(decoding: document, as: UTF8.self).split(separator: "\n")
        guard lines.count == 1 else { throw SectionFailure("it has \(lines.count) lines, and may have one") }
        return String(lines[0])
    }
}

extension Catalog {
    /// Without settings, the text that requests a rejection is rejected.
    fileprivate func refusal(of text: String?) -> Refusal? {
        do throws(SectionFailure) {
            return try text == value(of: .refused) ?? "refuse me" ? .badRequest("it says so itself") : nil
        } catch {
            return .badRequest("the settings cannot be read")
        }
    }
}

/// Maintains the same counts in the head: the created, changed and removed records of some types, including swept ones.
struct HeadTally: RecordRule {
    let feature: String
    let types: Set<Name>

    func concerns(_ type: Name, in catalog: Catalog) -> Bool { types.contains(type) }

    func follow(_ changes: RecordChanges, _ reading: FoundRows, _ rows: inout RuleWrites) {
        var counts = Self.counts(rows.annex(of: feature))
        for change in changes.all {
            switch (change.old, change.new) {
            case (nil, _): counts[0] += 1
            case (_, nil): counts[2] += 1
            default: counts[1] += 1
            }
        }
        _ = rows.setAnnex(counts, of: feature)
    }

    func swept(_ records: SweptRecords, annex: inout HeadAnnex) -> Bool {
        var counts = Self.counts(annex[feature])
        counts[2] += records.counts.values.reduce(0) { $0 + UInt8($1) }
        return annex[Self.full].isEmpty && annex.set(counts, of: feature)
    }

    /// A head with data under this name has no room for the counts of swept records.
    static let full = "full"

    static func counts(_ kept: [UInt8]) -> [UInt8] { kept.isEmpty ? [0, 0, 0] : kept }

    static let all = [
        HeadTally(feature: "coins", types: ["Coin"]), HeadTally(feature: "others", types: ["Post", "Users"]),
    ]
}

extension RecordChange {
    /// The change of the sum of the records' values.
    fileprivate var sum: Int64 { (new?.fields.number("count") ?? 0) - (oldRow?.fields.number("count") ?? 0) }
}

extension Bytes {
    fileprivate func number(_ name: Name) -> Int64 { stored(name)?.integer ?? 0 }
    fileprivate func text(_ name: Name) -> String? {
        stored(name)?.bytes.map { String(decoding: $0, as: UTF8.self) }
    }

    private func stored(_ name: Name) -> StoredValue? {
        var found: StoredValue?
        CanonicalFields.read([name], in: self) { _, value in found = value }
        return found
    }
}

/// Shows posts from `opens` on, until `ends`.
struct PostHours: VisibilityRule {
    func hours(of type: RecordType, in catalog: Catalog) throws(SectionFailure) -> RecordHours? {
        guard type.row.name == "Post", let opens = type.time("opens") else { return nil }
        _ = try catalog.value(of: .refused)
        return RecordHours(start: opens, end: type.time("ends"))
    }
}

extension RecordType {
    fileprivate func time(_ name: Name) -> RecordField? {
        fields[name].map { .field(name, .timestamp, epoch: $0.epoch) }
    }
}

extension Feature {
    /// A feature that no program has: a test of what rules may do, with an endpoint that returns the results.
    static let tally = Feature(
        "tally", tables: [TallyRow.self],
        rules: RuleBook(
            records: [TallyRule()] + HeadTally.all, visibility: [PostHours()],
            sections: [CatalogSection<String>.refused])
    ) { _ in
        FeatureService(
            endpoints: [
                Endpoint("tally/{type}", at: .container, methods: [.get]) { call in
                    let tally = TallyRow.of([Name(String(call.call.path.values[0]))], in: 1)
                    var set = ReadSet()
                    set.ask(tally)
                    return call.read(set) { reading in
                        let row = reading[tally].first
                        var json = JSONWriter()
                        json.beginObject()
                        json.member("made", row?.made ?? 0)
                        json.member("sum", row?.sum ?? 0)
                        json.endObject()
                        return json.bytes
                    }
                }
            ])
    }
}
