/// The described tables of a store (docs/decisions/0020): those of the server, and those of whoever opens an engine with more.
public final class TableSet: Sendable {
    /// Those whose rows go with rows of others come before them.
    package let all: [any StoredRow.Type]
    /// Those that no released step has made: engines make them from their descriptions.
    package let added: [any StoredRow.Type]

    /// What a check reads of each of ``all``.
    let audits: [(rows: any StoredRow.Type, table: AuditedTable)]

    /// - Parameter more: Tables beside those of the server, each with a name of its own.
    public init(adding more: [any StoredRow.Type] = []) {
        added = more + Self.described
        all = added + Self.released
        audits = all.map { ($0, AuditedTable($0.table)) }
        let names = all.map { $0.table.name }
        precondition(Set(names).count == names.count, "two tables have one name: \(names)")
    }

    /// Those of the server alone.
    public static let server = TableSet()

    /// New entities go here, parts before their wholes.
    private static let described: [any StoredRow.Type] = []

    /// Those that steps of migration made which were released before tables were described.
    private static let released: [any StoredRow.Type] =
        CatalogRow.tables + [
            UserRow.self, CredentialUseRow.self, SubscriptionRow.self, PendingCascadeRow.self, PushLogRow.self,
            DeliveryRow.self, DeviceRow.self,
        ]

    /// Those whose rows go with rows of this one.
    package func children(of table: Table) -> [Table] {
        all.map { $0.table }.filter { $0.parent?.table == table.name }
    }
}

extension Table {
    /// The step of migration that makes it, as stores keep it.
    package var step: String { "table \(name) 1" }

    /// Whether a step that a store has done, and that is none of `known`, comes from a newer server. Tables of what this one is
    /// built without are none of its business.
    package static func isNewer(_ step: String, than known: [String]) -> Bool {
        let words = step.split(separator: " ")
        guard words.first == "table", words.count == 3 else { return true }
        return known.contains { $0.hasPrefix("table \(words[1]) ") }
    }
}
