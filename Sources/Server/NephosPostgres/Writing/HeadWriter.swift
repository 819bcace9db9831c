import CloudKitWire
import NephosStorage

/// Writes of the table `heads`.
enum HeadWriter {
    private static let state = HeadRow.stateColumns + ["checksum"]
    private static let insertion = Statement.insertion(into: "heads", state + ["db", "kind", "owner"])
    private static let change = Statement.change(of: "heads", state, key: ["db"])

    static func insert(
        _ head: HeadRow, _ tenant: TenantNumber, _ transaction: Transaction
    ) throws(StorageError) {
        let stored = try tenant.stored(head.database)
        transaction.later(insertion) {
            $0.addState(of: head)
            $0.add(stored)
            $0.add(head.kind.rawValue)
            $0.add(head.owner)
        }
    }

    static func update(
        _ head: HeadRow, _ tenant: TenantNumber, _ transaction: Transaction
    ) throws(StorageError) {
        let stored = try tenant.stored(head.database)
        transaction.later(change) {
            $0.addState(of: head)
            $0.add(stored)
        }
    }
}

extension Values {
    fileprivate mutating func addState(of head: HeadRow) {
        for number in head.state { add(number) }
        add(head.checksum)
    }
}
