/// The described tables of a store (docs/decisions/0020): those of the server, and those that the opener of an engine adds.
public final class TableSet: Sendable {
    /// The tables of tenants. Tables whose rows are removed with rows of others come before these.
    package let all: [any StoredRow.Type]
    /// The tables of tenants that no released step has created: engines create them from their descriptions.
    package let added: [any StoredRow.Type]
    /// The tables of the directory, and those of them that no released step has created.
    package let directory, addedToDirectory: [any StoredRow.Type]

    /// Derives a value from each version of a catalog.
    let derive: @Sendable (Catalog) -> (any CatalogDerivative)?

    /// What a check reads of each table in ``all``.
    let audits: [(rows: any StoredRow.Type, table: AuditedTable)]
    let directoryAudits: [(rows: any StoredRow.Type, table: AuditedTable)]

    /// Describes the tables of a store.
    ///
    /// - Parameters:
    ///   - more: Tables in addition to those of the server, each with a unique name.
    ///   - derive: Derives ``Catalog/derived`` from a catalog, once for each version that a process loads.
    public init(
        adding more: [any StoredRow.Type] = [],
        deriving derive: @escaping @Sendable (Catalog) -> (any CatalogDerivative)? = { _ in nil }
    ) {
        self.derive = derive
        let described = more + Self.described
        added = described.filter { $0.table.owner != .installation }
        addedToDirectory = described.filter { $0.table.owner == .installation }
        all = added + Self.released
        directory = addedToDirectory + [AccountRow.self, ContainerRow.self]
        audits = all.map { ($0, AuditedTable($0.table)) }
        directoryAudits = directory.map { ($0, AuditedTable($0.table)) }
        let names = (all + directory).map { $0.table.name }
        precondition(Set(names).count == names.count, "two tables have the same name: \(names)")
    }

    /// The tables of the server only.
    public static let server = TableSet()

    /// New entities are added here, children before their parents.
    private static let described: [any StoredRow.Type] = [
        SectionRow.self, SectionChangeRow.self, DueEventRow.self, NewsRow.self, MailRow.self, MailSetupRow.self,
        AccountDeletionRow.self, LeftDatabaseRow.self, SessionUseRow.self, ShareRow.self, ParticipantRow.self,
        DepartureRow.self, SharedZoneRow.self, UnverifiedAccountRow.self,
    ]

    /// Tables created by migration steps that were released before tables were described.
    private static let released: [any StoredRow.Type] =
        CatalogRow.released + [
            UserRow.self, SessionRow.self, CredentialUseRow.self, SubscriptionRow.self, PendingCascadeRow.self,
            PushLogRow.self,
            DeliveryRow.self, DeviceRow.self,
        ]

    /// Whether all tables that these completed steps of a store created are in the set. The sums in digests and heads include
    /// the rows of a table that is not.
    package func knowsTables(of steps: some Swift.Sequence<String>) -> Bool { unknownTables(of: steps).isEmpty }

    /// The tables that are created by these steps of a store and are not in the set.
    package func unknownTables(of steps: some Swift.Sequence<String>) -> Set<String> {
        let made = steps.compactMap { step in
            let words = step.split(separator: " ")
            return words.first == "table" && words.count == 3 ? String(words[1]) : nil
        }
        return Set(made).subtracting((all + directory).map { $0.table.name })
    }

    /// The tables whose rows are removed with rows of this one.
    package func children(of table: Table) -> [Table] {
        (all + directory).map { $0.table }.filter { $0.parent?.table == table.name }
    }
}

/// A migration step of a described table.
package struct TableStep: Sendable {
    /// The name in the list of steps of a store.
    package let name: String
    package let table: Table
    /// The columns that it creates or adds.
    package let columns: [Column]
    package fileprivate(set) var indexes: [Table.Index]
    package let isFirst: Bool
}

extension Table {
    /// The name of the step that creates it.
    package var step: String { step(1) }

    private func step(_ number: Int) -> String { "table \(name) \(number)" }

    /// The migration steps that create it: the first creates the table, each following one adds a group of columns, with the
    /// indexes that contain them.
    package var steps: [TableStep] {
        let later = laterColumns.flatMap(\.self)
        let first = columns.filter { !later.contains($0) }
        var steps = [TableStep(name: step, table: self, columns: first, indexes: [], isFirst: true)]
        for (place, group) in laterColumns.enumerated() {
            steps.append(TableStep(name: step(place + 2), table: self, columns: group, indexes: [], isFirst: false))
        }
        // An index is created with the last of its columns.
        for index in indexes {
            let place = laterColumns.lastIndex { $0.contains { index.columns.contains($0.name) } }
            steps[place.map { $0 + 1 } ?? 0].indexes.append(index)
        }
        return steps
    }

    /// Whether a step that a store has done, and that is not in `known`, is from a newer server. Tables of features that this
    /// server is built without do not count.
    package static func isNewer(_ step: String, than known: [String]) -> Bool {
        let words = step.split(separator: " ")
        guard words.first == "table", words.count == 3 else { return true }
        return known.contains { $0.hasPrefix("table \(words[1]) ") }
    }
}
