import NephosStorage

/// Finds entries nearest first: the best-first search over nested cells described by Hjaltason and Samet ("Distance browsing in
/// spatial databases", 1999). A cell is opened when nothing nearer is left; one with many entries is subdivided instead of being
/// read. Distances are measured to the centers of the smallest cells, so that entries alone determine the order. Entries without
/// a place are last.
struct RingSearch {
    struct Settings {
        var origin: Place
        /// Circles that contain all results.
        var circles: [(place: Place, metres: Double)] = []

        init(origin: Place, field: RecordField, _ conditions: [PreparedCondition]) {
            self.origin = origin
            for condition in conditions where condition.field == field {
                if case .isNear(let place, let metres) = condition.test { circles.append((place, metres)) }
            }
        }
    }

    /// The maximum number of entries read from a cell at once.
    private static let leafMax = 32

    private enum Content {
        case cell(Cell)
        case entry(Candidate)
        /// The candidate of a cursor.
        case cursor(Int)
        case withoutPlace
    }

    private struct Item {
        /// For a cell, a lower bound for any place inside; infinite without a place.
        var distance: Double
        var source: Int
        var content: Content
    }

    private let group: Bytes
    private let settings: Settings
    private let after: QueryScan.Position?
    /// The distance of `after`; infinite if it has no place.
    private let reached: Double
    private var heap: [Item] = []
    /// Cursors over entries with one order key, and the part of the key that they have in common.
    private var cursors: [(RangeCursor, head: [UInt8])] = []

    init(_ group: Bytes, _ sources: [RingSource], _ settings: Settings, after: QueryScan.Position?) {
        self.group = group
        self.settings = settings
        self.after = after
        reached = after.map { $0.key.dropFirst(group.count).partDistance() ?? .infinity } ?? 0
        for source in sources.indices {
            push(.earth, source)
            if settings.circles.isEmpty {
                push(Item(distance: .infinity, source: source, content: .withoutPlace))
            }
        }
    }

    mutating func next<Source: QuerySource>(
        _ sources: [RingSource], _ source: inout Source, _ budget: inout Budget
    ) throws(StorageError) -> CandidateStep {
        while let item = popped() {
            switch item.content {
            case .entry(let candidate): return .candidate(candidate)
            case .cursor(let number):
                guard let candidate = cursors[number].0.current else { continue }
                guard try advance(number, item, &source, &budget) else { return .spent }
                return .candidate(placed(candidate, number))
            case .withoutPlace:
                let isOpen = try open([KeyPart.missing], [KeyPart.missing], item, sources, &source, &budget)
                guard isOpen else { return .spent }
            case .cell(let cell):
                guard try open(cell, item, sources, &source, &budget) else { return .spent }
            }
        }
        return .end
    }

    // MARK: Opening

    private mutating func open<Source: QuerySource>(
        _ cell: Cell, _ item: Item, _ sources: [RingSource], _ source: inout Source, _ budget: inout Budget
    ) throws(StorageError) -> Bool {
        let limit = budget.hasProgress ? budget.allowance(Self.leafMax + 1) : Self.leafMax + 1
        guard limit > 0 else { return false }
        let from = sources[item.source]
        var entries: [IndexEntry] = []
        try source.entries(in: from.range(cell, in: group), limit: limit, into: &entries)
        budget.spend(entries.count)
        let offset = from.prefix.count + group.count
        guard entries.count == limit else {
            for entry in entries { push(entry, offset, item.source, from) }
            return true
        }
        guard let dense = Self.common(entries, offset) else { return true }
        // Cells between this one and the one that contains all these entries are known to have too many.
        for level in cell.level..<max(cell.level, dense.level) {
            for child in dense.parent(at: level).children where child != dense.parent(at: level + 1) {
                push(child, item.source)
            }
        }
        if dense.level < Cell.lastLevel {
            for child in dense.children { push(child, item.source) }
            return true
        }
        var part: [UInt8] = []
        part.appendPart(cell: dense.first)
        let distance = settings.origin.distance(to: dense.middle)
        if distance < reached { return true }
        var head: [UInt8] = []
        head.appendPart(.double(distance), limit: 0)
        return try open(
            part, head, Item(distance: distance, source: item.source, content: item.content), sources, &source, &budget)
    }

    /// Opens a cursor for entries with the same `part`: one cell, or no place.
    ///
    /// - Parameter head: The encoding of `part` in order keys.
    private mutating func open<Source: QuerySource>(
        _ part: [UInt8], _ head: [UInt8], _ item: Item, _ sources: [RingSource], _ source: inout Source,
        _ budget: inout Budget
    ) throws(StorageError) -> Bool {
        let from = sources[item.source]
        let interval = from.interval(part, in: group)
        var rest: QueryScan.Position?
        if let after, after.key.dropFirst(group.count).starts(with: head) {
            rest = after
            rest?.key = after.key.dropFirst(group.count + head.count)
        }
        guard let range = EntryRange(interval, index: from.index, zone: from.zone, after: rest) else { return true }
        cursors.append(
            (RangeCursor(range, offset: interval.offset, isExact: from.isExact, batch: Self.leafMax), head))
        return try advance(cursors.count - 1, item, &source, &budget)
    }

    private mutating func advance<Source: QuerySource>(
        _ number: Int, _ item: Item, _ source: inout Source, _ budget: inout Budget
    ) throws(StorageError) -> Bool {
        guard try cursors[number].0.advance(&source, &budget) else { return false }
        if cursors[number].0.current != nil {
            push(Item(distance: item.distance, source: item.source, content: .cursor(number)))
        }
        return true
    }

    /// The smallest cell that contains all of these entries, which are in order.
    private static func common(_ entries: [IndexEntry], _ offset: Int) -> Cell? {
        guard let first = entries.first?.key.dropFirst(offset).partNumber(),
            let last = entries.last?.key.dropFirst(offset).partNumber()
        else { return nil }
        return Cell(first: first, level: Cell.lastLevel).parent(at: (first ^ last).leadingZeroBitCount / 2)
    }

    // MARK: Pushing

    private mutating func push(_ cell: Cell, _ source: Int) {
        let box = cell.box
        if settings.circles.contains(where: { box.distance(from: $0.place) > $0.metres }) { return }
        if reached > 0, box.farthest(from: settings.origin) < reached { return }
        push(Item(distance: box.distance(from: settings.origin), source: source, content: .cell(cell)))
    }

    private mutating func push(_ entry: IndexEntry, _ offset: Int, _ number: Int, _ from: RingSource) {
        guard let cell = entry.key.dropFirst(offset).partNumber() else { return }
        let distance = settings.origin.distance(to: Cell(first: cell, level: Cell.lastLevel).middle)
        if distance < reached { return }
        var key = Array(group)
        key.appendPart(.double(distance), limit: 0)
        key.append(contentsOf: entry.key.dropFirst(offset + 9))
        let position = QueryScan.Position(key: key[...], zone: from.zone, record: entry.record)
        if let after, !(after < position) { return }
        push(
            Item(
                distance: distance, source: number,
                content: .entry(Candidate(position: position, isExact: from.isExact))))
    }

    /// The candidate of a cursor with its complete order key.
    private func placed(_ candidate: Candidate, _ cursor: Int) -> Candidate {
        var placed = candidate
        placed.position.key = (group + cursors[cursor].head + candidate.position.key)[...]
        return placed
    }

    // MARK: Heap

    private mutating func push(_ item: Item) {
        heap.append(item)
        var index = heap.count - 1
        while index > 0, precedes(heap[index], heap[(index - 1) / 2]) {
            heap.swapAt(index, (index - 1) / 2)
            index = (index - 1) / 2
        }
    }

    private mutating func popped() -> Item? {
        guard heap.count > 1 else { return heap.popLast() }
        heap.swapAt(0, heap.count - 1)
        let item = heap.removeLast()
        var index = 0
        while true {
            var first = index
            for child in [2 * index + 1, 2 * index + 2] where child < heap.count && precedes(heap[child], heap[first]) {
                first = child
            }
            if first == index { return item }
            heap.swapAt(index, first)
            index = first
        }
    }

    /// At the same distance unopened items are first: they may contain entries that precede.
    private func precedes(_ left: Item, _ right: Item) -> Bool {
        if left.distance != right.distance { return left.distance < right.distance }
        guard let first = position(of: left) else { return position(of: right) != nil }
        guard let second = position(of: right) else { return false }
        return first < second
    }

    private func position(of item: Item) -> QueryScan.Position? {
        switch item.content {
        case .cell, .withoutPlace: nil
        case .entry(let candidate): candidate.position
        case .cursor(let number): cursors[number].0.current.map { placed($0, number).position }
        }
    }
}
