import CloudKitWire
import NephosStorage

/// Writes of the table `heads`.
enum HeadWriter {
    private static let insertion: Statement = {
        let columns = HeadRow.stateColumns + ["checksum", "db", "kind", "owner"]
        let values = (1...columns.count).map { "$\($0)" }.joined(separator: ",")
        return Statement("INSERT INTO heads (\(columns.joined(separator: ", "))) VALUES (\(values))")
    }()
    private static let change: Statement = {
        let columns = HeadRow.stateColumns + ["checksum"]
        let changes = columns.enumerated().map { "\($1) = $\($0 + 1)" }.joined(separator: ", ")
        return Statement(
            Guard.touching(one: "UPDATE heads SET \(changes) WHERE db = $\(columns.count + 1) RETURNING 1"))
    }()

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
