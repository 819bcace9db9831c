import CloudKitWire
import NephosStorage

/// Records of a type with the same collection, audience and required proofs (table `content_groups`), so that access is evaluated
/// once for all of them. Contains the number of records in each state.
struct PickGroupRow: Sendable, Equatable {
    var database = Content.database
    var type: TypeNumber
    /// From 1; ``shared`` for records without a group of their own.
    var group: Int64
    var key: PickGroupKey
    /// By ``PickState``, without zeros.
    var counts: [PickState: Int64]

    /// Groups per type. Records beyond this share one group, and are evaluated one by one.
    static let most = 1_024
    static let shared: Int64 = 0
}

/// What the records of a group have in common.
struct PickGroupKey: Sendable, Hashable {
    /// Empty for none.
    var collection: Bytes = []
    /// As in the record; empty for everybody.
    var audience: Bytes = []
    /// Words of which one must be proved, sorted; empty for everybody.
    var access: [String] = []
}

extension PickGroupRow: StoredRow {
    static let table = Table(of: Self.self, "content_groups", .database, key: ["db", "type_no", "group_no"])
    static let sample = PickGroupRow(type: 1, group: 0, key: PickGroupKey(), counts: [:])

    mutating func columns(_ columns: inout some Columns) throws(StorageError) {
        try columns.database(&database)
        try columns.type("type_no", &type)
        try columns.int("group_no", &group)
        try columns.utf8("collection", &key.collection)
        try columns.utf8("audience", &key.audience)
        var words = Self.bytes(of: key.access)
        try columns.bytes("access", &words)
        key.access = try Self.words(words)
        var bytes = Self.bytes(of: counts)
        try columns.bytes("counts", &bytes)
        counts = try Self.counts(bytes)
    }

    static func all(of type: TypeNumber) -> Scan<Self> {
        Scan(.database(Content.database), .int(Int64(type)), limit: most + 1)
    }

    // MARK: Bytes

    private static func bytes(of words: [String]) -> [UInt8] {
        var writer = NumberWriter()
        for word in words { writer.counted(word.utf8) }
        return writer.bytes
    }

    private static func words(_ bytes: [UInt8]) throws(StorageError) -> [String] {
        var (reader, words) = (NumberReader(bytes), [String]())
        while !reader.isAtEnd {
            guard let word = reader.counted() else { throw .corrupt("access: the words of a group cannot be read") }
            words.append(String(decoding: word, as: UTF8.self))
        }
        return words
    }

    private static func bytes(of counts: [PickState: Int64]) -> [UInt8] {
        var writer = NumberWriter()
        for (state, count) in counts.sorted(by: { $0.key < $1.key }) where count > 0 {
            writer.number(state.number)
            writer.number(count)
        }
        return writer.bytes
    }

    private static func counts(_ bytes: [UInt8]) throws(StorageError) -> [PickState: Int64] {
        var (reader, counts) = (NumberReader(bytes), [PickState: Int64]())
        while !reader.isAtEnd {
            guard let state = reader.number().flatMap(PickState.init(number:)), let count = reader.number(), count > 0
            else { throw .corrupt("counts: the counts of a group cannot be read") }
            counts[state] = count
        }
        return counts
    }
}
