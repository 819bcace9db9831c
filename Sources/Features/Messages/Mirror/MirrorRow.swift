import CloudKitWire
import NephosStorage

/// Which record of the template says what a message says (table `message_mirrors`).
struct MirrorRow: Sendable, Equatable {
    var database: DatabaseNumber = Messages.database
    var message: Name
    /// By which apps know whether they have shown it: higher than all before it. 0 for none yet.
    var identifier: Int64
    /// Of the record.
    var type: TypeNumber
    /// The name of the record. It is made by chance, so that nobody else has it.
    var record: Name
    /// Whether the record may say that it is current.
    var isCurrent = false

    /// Numbers that are taken as such: what apps of any language hold exactly.
    static let identifiers: ClosedRange<Int64> = 0...(1 << 53)
}

extension MirrorRow: StoredRow {
    static let table = Table(of: Self.self, "message_mirrors", .database, key: ["db", "message"], isCounted: true)
    static let sample = MirrorRow(message: "", identifier: 0, type: 1, record: "")

    mutating func columns(_ columns: inout some Columns) throws(StorageError) {
        try columns.database(&database)
        try columns.name("message", &message)
        try columns.int("identifier", &identifier)
        try columns.type("type_no", &type)
        try columns.name("record", &record)
        try columns.flag("is_current", &isCurrent)
    }

    static func of(_ message: Name) -> Scan<Self> { Scan(.database(Messages.database), .name(message), limit: 1) }

    private static let pageRows = 1_000

    /// All of them. May wait.
    static func all(in store: any TenantStore) throws(StorageError) -> [MirrorRow] {
        var rows: [MirrorRow] = []
        while true {
            let scan: Scan<MirrorRow> =
                rows.last.map { last in
                    Scan(.database(Messages.database), above: [.name(last.message)], limit: pageRows)
                } ?? Scan(.database(Messages.database), limit: pageRows)
            let page = try store.rows(scan)
            rows += page
            if page.count < pageRows { return rows }
        }
    }
}

/// Changes the row of one message, by what it is then.
struct ChangeMirrorRow: Sendable {
    private let message: Name
    private let change: @Sendable (MirrorRow?) -> MirrorRow?

    /// - Parameter change: What the row becomes; nil leaves it as it is.
    init(of message: Name, change: @escaping @Sendable (MirrorRow?) -> MirrorRow?) {
        (self.message, self.change) = (message, change)
    }

    var reading: ReadSet {
        var set = ReadSet()
        set.databases = [Messages.database]
        set.ask(MirrorRow.of(message))
        return set
    }

    func decide(_ reading: Reading) -> Decision<Void> {
        let old = reading[MirrorRow.of(message)].first
        var set = WriteSet()
        if let row = change(old), row != old { set.put(row, replacing: old) }
        return .write(set, ())
    }
}
