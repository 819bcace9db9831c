import CloudKitWire
import NephosStorage

/// Writes of the table `heads`.
struct HeadWriter {
    let tenant: TenantNumber
    let transaction: Transaction

    func insert(_ head: HeadRow) throws(StorageError) {
        var call = try call(head, Self.insertion)
        call.values.add(head.kind.rawValue)
        head.owner.add(to: &call.values)
        transaction.later(call)
    }

    func update(_ head: HeadRow) throws(StorageError) { transaction.later(try call(head, Self.change)) }

    func remove(_ database: DatabaseNumber) throws(StorageError) {
        transaction.later(Call(Self.removal, try tenant.stored(database)))
    }

    private func call(_ head: HeadRow, _ statement: Statement) throws(StorageError) -> Call {
        var call = Call(statement)
        for number in head.state { call.values.add(number) }
        call.values.add(bytes: head.annex.stored[...])
        call.values.add(head.annex.isFound ? 1 : 0)
        call.values.add(head.checksum)
        call.values.add(try tenant.stored(head.database))
        return call
    }

    private static let state = HeadRow.stateColumns + ["annex", "has_annex", "checksum"]
    private static let insertion = Statement.insertion(into: "heads", state + ["db", "kind", "owner"])
    private static let removal = Statement("DELETE FROM heads WHERE db = $1")
    private static let change = Statement.change(of: "heads", state, key: ["db"])
}
