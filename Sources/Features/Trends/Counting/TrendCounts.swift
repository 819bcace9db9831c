import NephosStorage

/// How many records were created, deleted and restored.
struct TrendCounts: Sendable, Equatable {
    var created: Int64 = 0
    var deleted: Int64 = 0
    var restored: Int64 = 0
    /// For a value of a field: how many more records changed to it than from it. For a list: by how many elements it grew.
    var moved: Int64 = 0

    /// The net change.
    var net: Int64 { created - deleted + restored + moved }
    var isZero: Bool { created == 0 && deleted == 0 && restored == 0 && moved == 0 }

    static func += (left: inout Self, right: Self) {
        left.created += right.created
        left.deleted += right.deleted
        left.restored += right.restored
        left.moved += right.moved
    }
}
