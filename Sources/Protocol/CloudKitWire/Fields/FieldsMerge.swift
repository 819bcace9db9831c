/// Merges a patch into stored fields. Both are in byte order, so one pass over both is enough; runs of unchanged stored fields are
/// copied as one piece.
struct FieldsMerge {
    private let stored: UnsafeBufferPointer<UInt8>
    private let set: UnsafeBufferPointer<UInt8>
    private var old: FieldsCursor
    private var new: FieldsCursor
    private var removed: ArraySlice<Name>
    private var out: [UInt8] = [UInt8(ascii: "{")]
    /// Unchanged stored bytes that are not copied yet.
    private var pending: Range<Int>?

    init(stored: UnsafeBufferPointer<UInt8>, set: UnsafeBufferPointer<UInt8>, removed: [Name]) {
        self.stored = stored
        self.set = set
        self.removed = removed[...]
        old = FieldsCursor(stored)
        new = FieldsCursor(set)
        out.reserveCapacity(stored.count + set.count)
    }

    mutating func merged() -> [UInt8] {
        var kept = old.next()
        var given = new.next()
        while kept != nil || given != nil {
            let order = compare(kept, given)
            if order <= 0, let entry = kept {
                if order < 0, !isRemoved(entry) { keep(entry.whole) } else { flush() }
                kept = old.next()
            }
            if order >= 0, let entry = given {
                flush()
                append(set[entry.whole])
                given = new.next()
            }
        }
        flush()
        out.append(UInt8(ascii: "}"))
        return out
    }

    private func compare(_ kept: FieldsCursor.Entry?, _ given: FieldsCursor.Entry?) -> Int {
        guard let kept else { return 1 }
        guard let given else { return -1 }
        return UnsafeBufferPointer(rebasing: stored[kept.name])
            .compare(UnsafeBufferPointer(rebasing: set[given.name]))
    }

    private mutating func isRemoved(_ entry: FieldsCursor.Entry) -> Bool {
        while let name = removed.first {
            let order = name.bytes.withUnsafeBufferPointer {
                $0.compare(UnsafeBufferPointer(rebasing: stored[entry.name]))
            }
            if order > 0 { return false }
            removed = removed.dropFirst()
            if order == 0 { return true }
        }
        return false
    }

    private mutating func keep(_ range: Range<Int>) {
        // The comma between two neighbors is part of the run.
        pending = (pending?.lowerBound ?? range.lowerBound)..<range.upperBound
    }

    private mutating func flush() {
        guard let range = pending else { return }
        append(stored[range])
        pending = nil
    }

    private mutating func append(_ entry: Slice<UnsafeBufferPointer<UInt8>>) {
        if out.count > 1 { out.append(UInt8(ascii: ",")) }
        out.append(contentsOf: UnsafeBufferPointer(rebasing: entry))
    }
}
