import NephosStorage

/// Entries for a search by distance: of one zone, after fixed parts. These are followed in a key by the parts of the order, one
/// of which is a cell.
struct RingSource {
    let index: IndexNumber
    let zone: ZoneNumber
    /// The fixed parts.
    let prefix: [UInt8]
    let isExact: Bool

    /// The entries of a cell, after the order's keys that precede the distance.
    func range(_ cell: Cell, in group: Bytes) -> EntryRange {
        var lower = prefix + group
        var upper = lower
        lower.appendPart(cell: cell.first)
        upper.appendPart(cell: cell.last)
        return EntryRange(
            index: index, zone: zone, lower: lower[...], upper: upper.successor.map { $0[...] })
    }

    /// Adjacent entries whose keys are in order, as a walk needs: of one cell, or without a place.
    func interval(_ part: [UInt8], in group: Bytes) -> KeyInterval {
        let lower = prefix + group + part
        return KeyInterval(lower: lower, upper: lower.successor, offset: lower.count, isExact: isExact)
    }

    /// The first keys of the order, from `lower` on, that some entry has.
    func firstGroup<Source: QuerySource>(
        from lower: Bytes, orders: ArraySlice<QueryOrder>, _ source: inout Source, _ budget: inout Budget
    ) throws(StorageError) -> Bytes? {
        var entries: [IndexEntry] = []
        let range = EntryRange(
            index: index, zone: zone, lower: (prefix + lower)[...], upper: prefix.successor.map { $0[...] })
        try source.entries(in: range, limit: 1, into: &entries)
        budget.spend(entries.count)
        guard let key = entries.first?.key.dropFirst(prefix.count) else { return nil }
        return key.length(of: orders).map { key.prefix($0) }
    }
}
