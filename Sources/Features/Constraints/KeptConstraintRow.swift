import CloudKitWire
import NephosStorage

/// That everything stored was found to keep a constraint, since when every save is judged by it (table `kept_constraints`). Where an import
/// ended in between there is none, and the next one looks again.
struct KeptConstraintRow: StoredRow, Equatable {
    /// ``Constraint/id``.
    var id: Int64
    /// Milliseconds since 1970.
    var since: Milliseconds = 0

    static let table = Table(of: Self.self, "kept_constraints", .tenant, key: ["id"])
    static let sample = KeptConstraintRow(id: 1)

    mutating func columns(_ columns: inout some Columns) throws(StorageError) {
        try columns.int("id", &id)
        try columns.int("since", &since)
    }

    /// At most as many as two versions of the settings may name.
    static let all = Scan<Self>(limit: 2 * ConstraintSettings.constraintsMax)
}
