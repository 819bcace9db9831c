/// Data of features in the head of a database, which every save locks and writes anyway: some bytes for each, under the name
/// of the feature (docs/decisions/0030).
public struct HeadAnnex: Sendable, Equatable {
    /// Maximum number of bytes per feature.
    public static let bytesMax = 1_024
    /// Maximum length of a feature's name in bytes.
    private static let nameBytesMax = 255

    /// One ``Entry`` for each feature that stores something, sorted by the bytes of their names. nil for none: heads are
    /// copied often, and most have no annex.
    private var entries: [UInt8]?

    /// Creates an annex in which nothing is kept.
    public init() {}

    /// Whether nothing is kept in it.
    public var isEmpty: Bool { entries == nil }

    /// The name for data of a feature at rest: a scan of heads (``AnnexScan``) does not find a head that contains nothing else.
    public static func atRest(_ feature: String) -> String { "~" + feature }

    /// Whether it contains anything that is not at rest, so that scans find it. Names are sorted, and those at rest come last.
    package var isFound: Bool { (entries?.dropFirst().first).map { $0 != UInt8(ascii: "~") } ?? false }

    /// The data of a feature; empty if it stores none.
    public subscript(feature: String) -> [UInt8] { find(feature).entry.map { Array(stored[$0.bytes]) } ?? [] }

    /// Replaces the data of a feature; empty data removes it.
    ///
    /// - Returns: false without a change for more than ``bytesMax``, or for a name that is empty or longer than 255 bytes.
    public mutating func set(_ bytes: [UInt8], of feature: String) -> Bool {
        let name = Array(feature.utf8)
        guard bytes.count <= Self.bytesMax, 1...Self.nameBytesMax ~= name.count else { return false }
        let (start, entry) = find(feature)
        var stored = stored
        if let entry, entry.bytes.count == bytes.count {
            entries = nil
            stored.replaceSubrange(entry.bytes, with: bytes)
            entries = stored
            return true
        }
        stored.replaceSubrange(
            start..<(entry?.bytes.upperBound ?? start), with: bytes.isEmpty ? [] : Entry.bytes(of: name, bytes))
        entries = stored.isEmpty ? nil : stored
        return true
    }

    /// The position of the entry of a feature, or where it would be inserted.
    private func find(_ feature: String) -> (start: Int, entry: Entry?) {
        let stored = stored
        var start = 0
        while let entry = Entry(stored, at: start) {
            let order = Self.compare(feature, stored[entry.name])
            if order == 0 { return (start, entry) }
            if order < 0 { break }
            start = entry.bytes.upperBound
        }
        return (start, nil)
    }

    /// Compares bytes: negative if the name of the feature comes first. Each save calls this several times.
    private static func compare(_ feature: String, _ name: ArraySlice<UInt8>) -> Int {
        var feature = feature
        return feature.withUTF8 { feature in
            name.withUnsafeBufferPointer { name in
                for place in 0..<min(feature.count, name.count) where feature[place] != name[place] {
                    return Int(feature[place]) - Int(name[place])
                }
                return feature.count - name.count
            }
        }
    }

    // MARK: Storing

    /// The stored form: no bytes for an empty annex.
    package var stored: [UInt8] { entries ?? [] }

    /// - Throws: ``StorageError/corrupt(_:)`` for bytes that are not a valid annex.
    @usableFromInline
    package init(stored raw: UnsafeRawBufferPointer) throws(StorageError) {
        guard !raw.isEmpty else { return }
        let stored = Array(raw)
        var (start, last) = (0, ArraySlice<UInt8>())
        while let entry = Entry(stored, at: start), last.lexicographicallyPrecedes(stored[entry.name]) {
            (start, last) = (entry.bytes.upperBound, stored[entry.name])
        }
        guard start == stored.count else { throw .corrupt("an annex cannot be read from byte \(start) on") }
        entries = stored
    }

    /// The length of the name (1 byte), the name, the length of the data (2 bytes, the low one first), the data.
    private struct Entry {
        let name: Range<Int>
        let bytes: Range<Int>

        /// nil at the end, and for an incomplete entry.
        init?(_ stored: [UInt8], at start: Int) {
            guard start < stored.count, stored[start] > 0 else { return nil }
            name = (start + 1)..<(start + 1 + Int(stored[start]))
            let first = name.upperBound + 2
            guard first <= stored.count else { return nil }
            let count = Int(stored[first - 2]) | Int(stored[first - 1]) << 8
            guard 1...bytesMax ~= count, first + count <= stored.count else { return nil }
            bytes = first..<(first + count)
        }

        static func bytes(of name: [UInt8], _ bytes: [UInt8]) -> [UInt8] {
            [UInt8(name.count)] + name + [UInt8(truncatingIfNeeded: bytes.count), UInt8(bytes.count >> 8)] + bytes
        }
    }
}
