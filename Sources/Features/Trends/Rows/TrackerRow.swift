import NephosDomain
import NephosStorage

/// Something that is counted, whatever the settings are by now (table `trend_trackers`): what is to be counted back, and what is
/// to be forgotten. All records of the public database need no row.
struct TrackerRow: Sendable, Equatable {
    enum Phase: Int64, Sendable {
        /// It is counted with every save, and counted back.
        case counting = 0
        /// It is no longer wanted, or was not for a while: its counts are being removed.
        case forgetting = 1
    }

    var database: DatabaseNumber = Trends.database
    var side: TrendSide
    var type: TypeNumber
    var part: UInt64 = 0
    var phase = Phase.counting
    /// The version of the catalog up to which it was wanted without interruption.
    var seen: Int64
    /// The epoch of the field; a field that is removed and added again with the same name has another epoch.
    var fieldEpoch: Int64 = 0
    /// Since when deletions are known; 0 for always.
    var deletedSince: Milliseconds
    /// For private databases: the next to process, and the last. Databases added later count from the first record on.
    var next: DatabaseNumber = Trends.database
    var through: DatabaseNumber

    /// The percentage of private databases that have been processed.
    var percent: Int { next > through || through <= 1 ? 100 : Int((next - 1) * 100 / through) }

    var key: TrendKey { TrendKey(type: type, part: part) }
}

extension TrackerRow: StoredRow {
    static let table = Table(
        of: Self.self, "trend_trackers", .database, key: ["db", "side", "type_no", "part"], isCounted: true)
    static let sample = TrackerRow(side: .inPublic, type: 1, seen: 0, deletedSince: 0, through: 1)

    mutating func columns(_ columns: inout some Columns) throws(StorageError) {
        try columns.database(&database)
        try columns.kind("side", &side)
        try columns.type("type_no", &type)
        var number = Int64(bitPattern: part)
        try columns.int("part", &number)
        part = UInt64(bitPattern: number)
        try columns.kind("phase", &phase)
        try columns.int("seen", &seen)
        try columns.int("field_epoch", &fieldEpoch)
        try columns.int("deleted_since", &deletedSince)
        try columns.int("next_db", &next)
        try columns.int("through_db", &through)
    }

    /// At most as many as two versions of the settings can name.
    static let all = Scan<Self>(.database(Trends.database), limit: 1_000)
}
