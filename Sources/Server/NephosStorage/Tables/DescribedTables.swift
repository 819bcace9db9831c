/// The tables of the server that are described (docs/decisions/0020).
package enum DescribedTables {
    /// Those whose rows go with rows of others come before them.
    package static let all: [any StoredRow.Type] =
        CatalogRow.tables + [
            UserRow.self, CredentialUseRow.self, SubscriptionRow.self, PendingCascadeRow.self, PushLogRow.self,
            DeliveryRow.self, DeviceRow.self,
        ]

    /// Those whose rows go with rows of this one.
    package static func children(of table: Table) -> [Table] {
        all.map { $0.table }.filter { $0.parent?.table == table.name }
    }
}
