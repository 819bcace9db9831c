import CloudKitWire
import NephosStorage

/// That everything stored was found to keep a constraint of one version of the settings, since when every save is judged by it (table
/// `kept_constraints`). Where an import ended in between there is none of that version, and the next one looks again.
struct KeptConstraintRow: StoredRow, Equatable {
    /// ``Constraint/id``.
    var id: Int64
    /// ``NephosStorage/SectionRow/stamp`` of the section that had it.
    var section: Int64 = 0

    static let table = Table(of: Self.self, "kept_constraints", .tenant, key: ["id"])
    static let sample = KeptConstraintRow(id: 1)

    mutating func columns(_ columns: inout some Columns) throws(StorageError) {
        try columns.int("id", &id)
        try columns.int("section", &section)
    }

    /// At most as many as two versions of the settings may name.
    static let all = Scan<Self>(limit: 2 * ConstraintSettings.constraintsMax)
}

extension SectionRow {
    /// Another number for each change of a section, also where it comes again.
    var stamp: Int64 {
        var words = (
            document.withUnsafeBytes { xxHash64($0) }.littleEndian, version.littleEndian, changedAt.littleEndian
        )
        return Int64(bitPattern: withUnsafeBytes(of: &words) { xxHash64($0) })
    }
}
