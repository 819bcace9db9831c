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

    private static let insertion = Statement(
        """
        INSERT INTO indexes (db, index_no, state, built_to, used_at, checksum, type, created_at, shape)
        VALUES ($1,$2,$3,$4,$5,$6,$7,$8,$9)
        """)
    private static let change = Statement(
        Guard.touching(
            one: """
                UPDATE indexes SET state = $3, built_to = $4, used_at = $5, checksum = $6
                WHERE db = $1 AND index_no = $2 RETURNING 1
                """))
    private static let removal = Statement("DELETE FROM indexes WHERE db = $1 AND index_no = $2")
}

extension Values {
    fileprivate mutating func addState(of index: IndexRow, _ stored: Int64) {
        add(stored)
        add(index.number)
        add(index.state.rawValue)
        add(index.builtTo)
        add(index.usedAt)
        add(index.checksum)
    }
}
