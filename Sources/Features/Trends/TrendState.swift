import NephosStorage

/// What is counted in a database with every save, and how far what was there before is counted back: at rest in the annex of its head, so
/// that a save knows it without a read, and changes it under the lock that it has anyway.
///
/// One byte for the version; then for each that is counted its type, its part (0, or 1 and eight bytes), and four numbers: when counting
/// began, since when deletions are known, and the last record number that was there then with that up to which it is counted back, both 0
/// where all is.
struct TrendState: Equatable {
    static let name = HeadAnnex.atRest(Trends.name)
    private static let version: UInt8 = 1

    /// How far something is counted.
    struct Progress: Equatable {
        /// Deltas are counted from the moment after this; 0 where they always were.
        var begunAt: Milliseconds
        /// Since when what was deleted is counted: it is the oldest that was still in the trash; 0 for always.
        var deletedSince: Milliseconds = 0
        /// The last record number at that time.
        var through: RecordNumber = 0
        /// Records up to here are counted back.
        var cursor: RecordNumber = 0

        /// Everything that was ever there is counted.
        static let whole = Progress(begunAt: 0)

        var isOver: Bool { cursor >= through }

        /// Whether counting back has not come to a record that it will come to.
        func isAhead(_ number: RecordNumber) -> Bool { number > cursor && number <= through }
    }

    /// All records of a public database are counted together, whatever their types.
    static let all = TrendKey(type: 0)

    private(set) var entries: [(key: TrendKey, progress: Progress)] = []

    init() {}

    /// - Parameter bytes: As stored. What cannot be read counts as nothing: all is begun anew then.
    init(_ bytes: [UInt8]) {
        guard var reader = Self.reader(bytes) else { return }
        while !reader.isAtEnd {
            guard let entry = Self.entry(&reader) else {
                entries = []
                return
            }
            entries.append(entry)
        }
    }

    /// The first entry alone, that of ``all`` where there is one: what a save of the public database needs.
    static func first(_ bytes: [UInt8]) -> (key: TrendKey, progress: Progress)? {
        guard var reader = reader(bytes) else { return nil }
        return entry(&reader)
    }

    /// nil for nothing, and for what a newer server has written.
    private static func reader(_ bytes: [UInt8]) -> NumberReader? {
        bytes.first == version ? NumberReader(bytes, from: 1) : nil
    }

    private static func entry(_ reader: inout NumberReader) -> (key: TrendKey, progress: Progress)? {
        guard let type = reader.number(), let hasPart = reader.byte() else { return nil }
        var key = TrendKey(type: TypeNumber(truncatingIfNeeded: type))
        if hasPart != 0 {
            for _ in 0..<8 { key.part = key.part << 8 | UInt64(reader.byte() ?? 0) }
        }
        guard let begun = reader.number(), let known = reader.number(), let through = reader.number(),
            let cursor = reader.number()
        else { return nil }
        return (key, Progress(begunAt: begun, deletedSince: known, through: through, cursor: cursor))
    }

    var bytes: [UInt8] {
        guard !entries.isEmpty else { return [] }
        var writer = NumberWriter([Self.version])
        for (key, progress) in entries {
            writer.number(Int64(key.type))
            writer.byte(key.part == 0 ? 0 : 1)
            if key.part != 0 {
                for shift in stride(from: UInt64(56), through: 0, by: -8) {
                    writer.byte(UInt8(truncatingIfNeeded: key.part >> shift))
                }
            }
            writer.number(progress.begunAt)
            writer.number(progress.deletedSince)
            writer.number(progress.isOver ? 0 : progress.through)
            writer.number(progress.isOver ? 0 : progress.cursor)
        }
        return writer.bytes
    }

    subscript(_ key: TrendKey) -> Progress? {
        get { entries.first { $0.key == key }?.progress }
        set {
            let place = entries.firstIndex { $0.key == key }
            switch (place, newValue) {
            case (let place?, let new?): entries[place].progress = new
            case (let place?, nil): entries.remove(at: place)
            case (nil, let new?):
                entries.append((key, new))
                entries.sort { $0.key < $1.key }
            case (nil, nil): break
            }
        }
    }

    static func == (left: Self, right: Self) -> Bool { left.bytes == right.bytes }

    // MARK: Counting back

    /// What the next chunk is of: those that are least far, and how far they may go together.
    struct Chunk: Equatable {
        var keys: [TrendKey]
        var above: RecordNumber
        var through: RecordNumber
    }

    /// nil where all is counted.
    var next: Chunk? {
        let open = entries.filter { !$0.progress.isOver }
        guard let above = open.map(\.progress.cursor).min() else { return nil }
        let own = open.filter { $0.progress.cursor == above }
        let limits = own.map(\.progress.through) + open.map(\.progress.cursor).filter { $0 > above }
        return Chunk(keys: own.map(\.key), above: above, through: limits.min() ?? above)
    }

    /// A chunk is counted back up to a record.
    mutating func advance(_ chunk: Chunk, to number: RecordNumber) {
        for key in chunk.keys { self[key]?.cursor = number }
    }
}

/// Of what something is counted.
struct TrendKey: Sendable, Hashable, Comparable {
    /// 0 for all types of a public database.
    var type: TypeNumber
    /// A list, or the values of a field (``TrendPart/id``); 0 for the records themselves.
    var part: UInt64 = 0

    static func < (left: Self, right: Self) -> Bool { (left.type, left.part) < (right.type, right.part) }
}

extension HeadRow {
    var trends: TrendState {
        get { TrendState(annex[TrendState.name]) }
        // Whoever begins something looks first whether it has room, and leaves it for later otherwise.
        set { _ = annex.set(newValue.bytes, of: TrendState.name) }
    }
}
