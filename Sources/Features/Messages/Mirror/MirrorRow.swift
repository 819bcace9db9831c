import CloudKitWire
import NephosStorage

/// The record of the template that mirrors a message (table `message_mirrors`).
struct MirrorRow: Sendable, Equatable {
    var database: DatabaseNumber = Messages.database
    var message: Name
    /// The number by which apps remember that they have shown it: higher than all earlier ones. 0 if none was assigned yet.
    var identifier: Int64
    /// The type of the record.
    var type: TypeNumber
    /// The name of the record. It is random, so that it does not collide with others.
    var record: Name
    /// Whether the record may be marked as current.
    var isCurrent = false

    /// The valid numbers: those that apps in any programming language represent exactly.
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

    /// All rows. May block.
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

/// Changes the row of one message based on its current value.
struct ChangeMirrorRow: Sendable {
    private let message: Name
    private let change: @Sendable (MirrorRow?) -> MirrorRow?

    /// - Parameter change: Returns the new row; nil leaves it unchanged.
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
