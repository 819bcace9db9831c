import CloudKitWire

/// A table that is copied from one store into another: all columns of all rows, in the order of the key.
package struct CopiedTable: Sendable {
    /// All columns: those of the key come first, and the checksum comes last if rows have one.
    package let columns: [Column]
    /// The table as it is read.
    package let audited: AuditedTable
    /// The type of the rows; nil for a table that is not described.
    let rows: (any StoredRow.Type)?

    package var stored: StoredTable { audited.table }
    package var name: String { stored.name }

    /// Whether each change of a row also changes a head, a catalog's row or the digest of the directory.
    var isInDigest: Bool { rows?.table.isCounted ?? true }
    /// Whether rows may have a ``Secret``.
    package var hasSecrets: Bool { rows?.table.hasSecrets ?? false }

    /// Whether the key contains text. Each database system may order text differently, so that the last row in one
    /// store is not necessarily the last in another.
    var isOrderedByText: Bool { stored.key.contains { $0.kind == .text } }

    /// Creates a table that is not described.
    private init(_ table: AuditedTable) {
        // A check reads the database of an event's record twice: in the key, and as a column of the record.
        let names = table.columns.enumerated().filter { !table.columns.prefix($0).contains($1) }.map(\.element)
        columns = names.map(Column.init(ofUndescribed:))
        audited = AuditedTable(table.table, names, long: table.long, isOrdered: true)
        rows = nil
    }

    init(_ rows: any StoredRow.Type) {
        let table = rows.table
        columns = table.columns + [Column(name: "checksum", kind: .int)]
        let described = AuditedTable(table)
        audited = AuditedTable(described.table, described.columns, long: described.long, isOrdered: true)
        self.rows = rows
    }

    static let heads = CopiedTable(.heads)
    static let catalog = CopiedTable(.catalog)
    /// The table `meta`, of which only the digest is read: engines store other values there as well.
    static let meta = CopiedTable(.meta)

    /// The tables of tenants that are not described, except ``heads`` and ``catalog``, whose values a copy changes.
    fileprivate static let undescribed = [
        CopiedTable(.zones), CopiedTable(.records), CopiedTable(.tombstones), CopiedTable(.references),
        CopiedTable(.eventRecords), CopiedTable(.entries),
    ]

    /// The described tables that are in no ``TableSet``, because engines have their own code for them.
    fileprivate static let ofEngines: [CopiedTable] = [
        ChangeEventRow.self, TrashRow.self, AssetUseRow.self, AssetRow.self, IndexRow.self,
    ].map(CopiedTable.init)

    /// Returns the position of a column in ``columns``.
    ///
    /// - Throws: ``StorageError/failed(_:)`` if there is no column of this name.
    func place(of column: String) throws(StorageError) -> Int {
        guard let place = columns.firstIndex(where: { $0.name == column }) else {
            throw .failed("\(name) has no column \(column)")
        }
        return place
    }

    /// Returns the values of a row; nil for a null.
    ///
    /// - Parameter row: A row that begins with ``columns``.
    package func values(_ row: any AnswerRow) throws(StorageError) -> [ColumnValue?] {
        var values: [ColumnValue?] = []
        values.reserveCapacity(columns.count)
        for (place, column) in zip(Int32(0)..., columns) { values.append(try row.value(place, of: column.kind)) }
        return values
    }
}

extension TableSet {
    /// All tables of a tenant, in the order in which they are copied. The heads of databases come after the rows that
    /// they count, and the catalog, without whose row there is no tenant, comes last.
    package var copied: [CopiedTable] {
        all.map(CopiedTable.init) + CopiedTable.ofEngines + CopiedTable.undescribed + [.heads, .catalog]
    }

    /// All tables of the directory, in the order in which they are copied: the list of containers comes last.
    package var copiedOfDirectory: [CopiedTable] {
        let containers = directory.filter { $0 == ContainerRow.self }
        return (directory.filter { $0 != ContainerRow.self } + containers).map(CopiedTable.init)
    }
}

extension Column {
    /// Creates a column of a table that is not described. Its kind follows from its name, which means the same in all
    /// of these tables.
    fileprivate init(ofUndescribed name: String) {
        let kind: ColumnKind =
            switch name {
            case "db": .database
            case "name", "parent", "fields", "target": .utf8
            case "owner", "created_by", "modified_by": .user
            case "annex", "client_token", "key", "signing_key", "file_key": .bytes
            case "container", "environment": .text
            default: .int
            }
        self.init(name: name, kind: kind)
    }
}

extension AnswerRow where Self: ~Copyable {
    /// Returns a value of a kind; nil for a null.
    package func value(_ place: Int32, of kind: ColumnKind) throws(StorageError) -> ColumnValue? {
        guard !isNull(place) else { return nil }
        return switch kind {
        case .database: .database(database(place))
        case .int: .int(int(place))
        case .user: .user(try user(place))
        case .text: .text(string(place))
        case .utf8: .utf8(bytes(place)[...])
        case .bytes: .bytes(bytes(place))
        }
    }
}
