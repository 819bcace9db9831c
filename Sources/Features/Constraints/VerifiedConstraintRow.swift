import CloudKitWire
import NephosStorage

/// A constraint of one version of the settings that all stored records were found to keep after every save was checked against it
/// (table `kept_constraints`). If an import ended before that, there is no row for that version, and the next import checks
/// again.
struct VerifiedConstraintRow: StoredRow, Equatable {
    /// ``Constraint/id``.
    var id: Int64
    /// ``NephosStorage/SectionRow/stamp`` of the section with the constraint.
    var section: Int64 = 0

    static let table = Table(of: Self.self, "kept_constraints", .tenant, key: ["id"])
    static let sample = VerifiedConstraintRow(id: 1)

    mutating func columns(_ columns: inout some Columns) throws(StorageError) {
        try columns.int("id", &id)
        try columns.int("section", &section)
    }

    /// At most as many as two versions of the settings can name.
    static let all = Scan<Self>(limit: 2 * ConstraintSettings.constraintsMax)
}

extension SectionRow {
    /// A number that differs for each change of a section, even if earlier contents return.
    var stamp: Int64 {
        var words = (
            document.withUnsafeBytes { xxHash64($0) }.littleEndian, version.littleEndian, changedAt.littleEndian
        )
        return Int64(bitPattern: withUnsafeBytes(of: &words) { xxHash64($0) })
    }
}
