import CloudKitWire
import NephosQueries
import NephosStorage

/// Writes of the table `indexes`.
enum IndexWriter {
    static func apply(
        _ change: IndexList.Change, in database: DatabaseNumber, _ tenant: TenantNumber, _ transaction: Transaction
    ) throws(StorageError) {
        let stored = try tenant.stored(database)
        switch change {
        case .insert(let index):
            transaction.later(insertion) {
                $0.addState(of: index, stored)
                $0.add(Int64(index.shape.type))
                $0.add(index.createdAt)
                $0.add(bytes: index.shape.bytes)
            }
        case .update(let index): transaction.later(self.change) { $0.addState(of: index, stored) }
        case .remove(let number):
            transaction.later(removal) {
                $0.add(stored)
                $0.add(number)
            }
        }
    }

    private static let (state, key) = (["state", "built_to", "used_at", "checksum"], ["db", "index_no"])
    private static let insertion = Statement.insertion(
        into: "indexes", state + key + ["type", "created_at", "shape"])
    private static let change = Statement.change(of: "indexes", state, key: key)
    private static let removal = Statement("DELETE FROM indexes WHERE db = $1 AND index_no = $2")
}

extension Values {
    fileprivate mutating func addState(of index: IndexRow, _ stored: Int64) {
        for number in [index.state.rawValue, index.builtTo, index.usedAt, index.checksum, stored, index.number] {
            add(number)
        }
    }
}
