/// The tables of the server that are described (docs/decisions/0020).
package enum DescribedTables {
    package static let all: [any StoredRow.Type] = [SubscriptionRow.self, PushLogRow.self]
}
