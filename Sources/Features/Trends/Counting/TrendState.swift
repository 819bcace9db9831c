import NephosStorage

/// What is counted in a database with every save, and how far existing records are counted back. It is stored at rest in the
/// annex of the head, so that a save has it without a read and changes it under the lock that it holds anyway.
///
/// One byte for the version; then for each group of keys with the same progress: when counting began, since when deletions are
/// known, the last record number at that time and the number up to which records are counted back (both 0 if all are), the number
/// of keys, and for each key twice its type, plus one if a part of eight bytes follows (``NumberWriter``).
struct TrendState: Equatable {
    static let name = HeadAnnex.atRest(Trends.name)
    private static let version: UInt8 = 2

    /// How far something has been counted back.
    struct Progress: Hashable {
        /// Changes after this moment are counted as they happen; 0 if they always were, or if it no longer matters.
        var begunAt: Milliseconds
        /// For ``all``: since when deletions are counted, which is the oldest that was still in the trash; 0 for always. For
        /// others, the tracker has this (``TrackerRow``).
        var deletedSince: Milliseconds = 0
        /// The last record number at ``begunAt``.
        var through: RecordNumber = 0
        /// Records up to this number are counted back.
        var cursor: RecordNumber = 0

        /// Everything that ever existed is counted.
        static let whole = Progress(begunAt: 0)

        var isOver: Bool { cursor >= through }

        /// Whether counting back has yet to reach a record.
        func isAhead(_ number: RecordNumber) -> Bool { number > cursor && number <= through }
    }

    /// All records of a public database are counted together, regardless of type.
    static let all = TrendKey(type: 0)

    private(set) var entries: [(key: TrendKey, progress: Progress)] = []

    init() {}

    /// - Parameter bytes: As stored. Unreadable bytes count as no entries, and then nothing begins (``isUnreadable(_:)``).
    init(_ bytes: [UInt8]) {
        guard var reader = Self.reader(bytes) else { return }
        while !reader.isAtEnd {
            guard let (progress, count) = Self.group(&reader), count <= Int64(bytes.count) else {
                entries = []
                return
            }
            for _ in 0..<count {
                guard let key = Self.key(&reader) else {
                    entries = []
                    return
                }
                entries.append((key, progress))
            }
        }
        // The entries of a single group are already in order.
        for place in entries.indices.dropFirst() where entries[place].key < entries[place - 1].key {
            entries.sort { $0.key < $1.key }
            return
        }
    }

    /// Whether another version wrote the bytes. Counting must not begin again over what that version has counted.
    static func isUnreadable(_ bytes: [UInt8]) -> Bool { !bytes.isEmpty && TrendState(bytes).entries.isEmpty }

    /// The first entry alone, which is ``all`` if that exists: all that a save in the public database needs.
    static func first(_ bytes: [UInt8]) -> (key: TrendKey, progress: Progress)? {
        guard var reader = reader(bytes), let (progress, count) = group(&reader), count > 0, let key = key(&reader)
        else {
            return nil
        }
        return (key, progress)
    }

    /// nil for no bytes, and for those written by another version.
    private static func reader(_ bytes: [UInt8]) -> NumberReader? {
        bytes.first == version ? NumberReader(bytes, from: 1) : nil
    }

    private static func group(_ reader: inout NumberReader) -> (progress: Progress, count: Int64)? {
        guard let begun = reader.number(), let known = reader.number(), let through = reader.number(),
            let cursor = reader.number(), let count = reader.number(), count >= 0
        else { return nil }
        return (Progress(begunAt: begun, deletedSince: known, through: through, cursor: cursor), count)
    }

    private static func key(_ reader: inout NumberReader) -> TrendKey? {
        guard let number = reader.number() else { return nil }
        var key = TrendKey(type: TypeNumber(truncatingIfNeeded: number >> 1))
        guard number & 1 == 1 else { return key }
        for _ in 0..<8 {
            guard let byte = reader.byte() else { return nil }
            key.part = key.part << 8 | UInt64(byte)
        }
        return key
    }

    var bytes: [UInt8] { bytes { $0 } }

    /// Whether there is room for this state until everything is counted back. Check it before something begins.
    var hasRoom: Bool {
        // No cursor takes more bytes than the number it ends at.
        let widest = bytes { progress in
            var progress = progress
            if !progress.isOver { progress.cursor = progress.through - 1 }
            return progress
        }
        return widest.count <= HeadAnnex.bytesMax
    }

    private func bytes(_ change: (Progress) -> Progress) -> [UInt8] {
        guard !entries.isEmpty else { return [] }
        var groups: [(progress: Progress, keys: [TrendKey])] = []
        for (key, progress) in entries {
            if let place = groups.firstIndex(where: { $0.progress == progress }) {
                groups[place].keys.append(key)
            } else {
                groups.append((progress, [key]))
            }
        }
        var writer = NumberWriter([Self.version])
        for (progress, keys) in groups {
            let progress = change(progress)
            writer.number(progress.begunAt)
            writer.number(progress.deletedSince)
            writer.number(progress.isOver ? 0 : progress.through)
            writer.number(progress.isOver ? 0 : progress.cursor)
            writer.number(Int64(keys.count))
            for key in keys {
                writer.number(Int64(key.type) << 1 | (key.part == 0 ? 0 : 1))
                guard key.part != 0 else { continue }
                for shift in stride(from: UInt64(56), through: 0, by: -8) {
                    writer.byte(UInt8(truncatingIfNeeded: key.part >> shift))
                }
            }
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

    /// The next chunk: the keys that are least far, and how far they can proceed together.
    struct Chunk: Equatable {
        var keys: [TrendKey]
        var above: RecordNumber
        var through: RecordNumber
    }

    /// Keys that are completely counted.
    var whole: Set<TrendKey> { Set(entries.filter { $0.progress.isOver }.map(\.key)) }

    /// The progress of the key that takes longest.
    var percent: Int {
        let open = entries.map(\.progress).filter { !$0.isOver }
        guard let last = open.map(\.through).max(), let cursor = open.map(\.cursor).min() else { return 100 }
        return Int(cursor * 100 / last)
    }

    /// nil if everything is counted back.
    var next: Chunk? {
        let open = entries.filter { !$0.progress.isOver }
        guard let above = open.map(\.progress.cursor).min() else { return nil }
        let own = open.filter { $0.progress.cursor == above }
        let limits = own.map(\.progress.through) + open.map(\.progress.cursor).filter { $0 > above }
        return Chunk(keys: own.map(\.key), above: above, through: limits.min() ?? above)
    }

    /// Records that a chunk has been counted back up to a record.
    mutating func advance(_ chunk: Chunk, to number: RecordNumber) {
        for key in chunk.keys {
            self[key]?.cursor = number
            // When it began no longer matters, so all completed keys form one group.
            if let progress = self[key], progress.isOver {
                self[key] = Progress(begunAt: 0, deletedSince: progress.deletedSince)
            }
        }
    }
}

/// Identifies what is counted.
struct TrendKey: Sendable, Hashable, Comparable {
    /// 0 for all types of a public database.
    var type: TypeNumber
    /// A list or the values of a field (``TrendPart/id``); 0 for the records themselves.
    var part: UInt64 = 0

    static func < (left: Self, right: Self) -> Bool { (left.type, left.part) < (right.type, right.part) }
}

extension HeadRow {
    var trends: TrendState { TrendState(annex[TrendState.name]) }

    /// - Throws: If it has no room. Callers must check ``TrendState/hasRoom`` before something begins.
    mutating func setTrends(_ state: TrendState) throws(StorageError) {
        guard annex.set(state.bytes, of: TrendState.name) else {
            throw .failed("the trend counts of database \(database) do not fit into its head")
        }
    }
}
