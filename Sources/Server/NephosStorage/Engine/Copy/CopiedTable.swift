import CloudKitWire

/// A table as it is copied from one store into another: all columns of all rows, in the order of the key.
package struct CopiedTable: Sendable {
    /// Those of the key first; last the checksum, where rows have one.
    package let columns: [Column]
    /// What is read of it.
    package let audited: AuditedTable
    /// What its rows are; nil for a table that is not described.
    let rows: (any StoredRow.Type)?

    package var stored: StoredTable { audited.table }
    package var name: String { stored.name }

    /// Whether each change of its rows moves a digest: that of the directory, of a catalog or of a head.
    var isInDigest: Bool { rows?.table.isCounted ?? true }
    /// Whether rows may have a ``Secret``.
    package var hasSecrets: Bool { rows?.table.hasSecrets ?? false }

    /// Whether each database puts text into an order of its own, so that the last row of one is not the last of another.
    var isOrderedByText: Bool { stored.key.contains { $0.kind == .text } }

    /// One that is not described.
    private init(_ table: AuditedTable) {
        // A check reads the database of an event's record once more, as one of the record's columns.
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
    /// Of which the digest is read alone: engines keep more there.
    static let meta = CopiedTable(.meta)

    /// Tables of tenants that are not described, but for those of which each copy has to know what it writes.
    fileprivate static let undescribed = [
        CopiedTable(.zones), CopiedTable(.records), CopiedTable(.tombstones), CopiedTable(.references),
        CopiedTable(.eventRecords), CopiedTable(.entries),
    ]

    /// Described ones that are of no set of tables, since engines treat them in ways of their own.
    fileprivate static let ofEngines: [CopiedTable] = [
        ChangeEventRow.self, TrashRow.self, AssetUseRow.self, AssetRow.self, IndexRow.self,
    ].map(CopiedTable.init)

    /// Where the columns have one of this name. - Throws: ``StorageError/failed(_:)`` where they have none.
    func place(of column: String) throws(StorageError) -> Int {
        guard let place = columns.firstIndex(where: { $0.name == column }) else {
            throw .failed("\(name) has no column \(column)")
        }
        return place
    }

    /// The values of a row, nil for nothing.
    ///
    /// - Parameter row: Begins with ``columns``.
    package func values(_ row: any AnswerRow) throws(StorageError) -> [ColumnValue?] {
        var values: [ColumnValue?] = []
        values.reserveCapacity(columns.count)
        for (place, column) in zip(Int32(0)..., columns) { values.append(try row.value(place, of: column.kind)) }
        return values
    }
}

extension TableSet {
    /// All tables of a tenant, in the order in which they are copied. The heads of its databases come after what they count, and the
    /// row that makes it a tenant last.
    package var copied: [CopiedTable] {
        all.map(CopiedTable.init) + CopiedTable.ofEngines + CopiedTable.undescribed + [.heads, .catalog]
    }

    /// All tables of the directory, the list of containers last.
    package var copiedOfDirectory: [CopiedTable] {
        let containers = directory.filter { $0 == ContainerRow.self }
        return (directory.filter { $0 != ContainerRow.self } + containers).map(CopiedTable.init)
    }
}

extension Column {
    /// A column of a table that is not described: what it is called says of which kind it is, the same in all of them.
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
    /// A value of a kind; nil for nothing.
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
