import CloudKitWire
public import NephosStorage

/// Marks the records below the root of a large share, some in each transaction, so that nobody waits for all of them. Until all are
/// marked nobody joins the share (docs/decisions/0067).
///
/// A negative mark says that what is below the record is not marked yet. A transaction takes some of these records, gives their children
/// negative marks, and themselves the final one. Records that are saved meanwhile take the mark of their parent, and no record gets
/// another parent.
public struct PrepareShare: Sendable {
    /// The name of the work, in each tenant.
    public static let job = "prepare shares"

    /// How many records with negative marks a transaction takes.
    static let parentsMax = 50
    /// How many children it marks, with at most this many bytes.
    static let childrenMax = 100, bytesMax = 1 << 20

    /// Where the next transaction continues.
    public struct Position: Sendable {
        /// A record of which not all children are marked.
        fileprivate let parent: RecordNumber
        /// Its children up to this one are.
        fileprivate let child: RecordNumber

        public init() { self.init(parent: 0, child: 0) }

        fileprivate init(parent: RecordNumber, child: RecordNumber) { (self.parent, self.child) = (parent, child) }
    }

    private let share: ShareRow
    private let position: Position
    private let now: Milliseconds

    /// The shares that are being prepared.
    public static func waiting(limit: Int) -> Scan<ShareRow> { ShareRow.inPreparation(limit: limit) }

    public init(_ share: ShareRow, from position: Position, now: Milliseconds) {
        (self.share, self.position, self.now) = (share, position, now)
    }

    private var zone: ZoneKey { .number(share.database, share.zone) }
    private var row: Scan<ShareRow> { ShareRow.keyed([share.number], in: share.database) }

    public var reading: ReadSet {
        var set = ReadSet()
        set.databases = [share.database]
        set.zones = [zone]
        set.ask(row)
        set.shares = [
            ShareScan(zone: zone, shares: [-share.number], limit: Self.parentsMax, byteLimit: Self.bytesMax)
        ]
        return set
    }

    /// - Returns: Where the next transaction continues; nil if the share is prepared, or has ended.
    public func decide(_ reading: Reading) throws(Refusal) -> Decision<Position?> {
        guard let head = reading.databases[0], let zone = reading.zones[0], zone.state == .live,
            let row = reading[row].first, row.state == .preparing
        else { return .write(WriteSet(), nil) }
        let parents = reading.shares[0].changes.compactMap { if case .record(let row) = $0 { row } else { nil } }
        guard !parents.isEmpty else { return end(head, zone, row) }
        guard reading.referrers.count == parents.count else {
            var more = ReadSet()
            more.referrers = parents.map {
                ReferrerScan(
                    zone: self.zone, target: $0.name, kind: .parent,
                    above: $0.number == position.parent ? position.child : 0, limit: Self.childrenMax)
            }
            more.referrerRowsMax = Self.childrenMax
            return .need(more)
        }
        return mark(parents, head, reading)
    }

    private func mark(
        _ parents: [RecordRow], _ head: HeadRow, _ reading: Reading
    ) -> Decision<Position?> {
        var step = Step(parents, reading.referrers, from: position)
        let children = step.children.filter { child in
            // A share of its own stays one.
            child.stub.share?.magnitudeOfShare != share.number && !child.stub.flags.contains(.shareRoot)
        }
        guard reading.records.count >= children.count else {
            var more = ReadSet()
            more.records = children.map { RecordKey(zone: zone, name: $0.stub.name) }
            more.recordByteLimit = Self.bytesMax
            return .need(more)
        }
        var set = WriteSet()
        var journal = RecordJournal(reading.catalog)
        func mark(_ record: RecordRow, _ mark: ShareNumber) {
            var new = record
            new.share = mark
            journal.mark(RecordWrite(old: RecordStub(record), new: new, references: nil), to: &set)
        }
        for (child, found) in zip(children, reading.records) {
            switch found {
            case .record(let record): mark(record, -share.number)
            case .beyondLimit: step.cut(before: child)
            case .absent, .outside: break
            }
            if step.isCut { break }
        }
        for parent in step.whole { mark(parent, share.number) }
        set.heads = [head]
        return .write(set, step.position)
    }

    /// What a transaction does.
    private struct Step {
        struct Child {
            /// The position of its parent in the page.
            var parent: Int
            var stub: RecordStub
        }

        private(set) var children: [Child] = []
        /// The records of which all children are among these.
        private(set) var whole: [RecordRow]
        /// Stays as it was if that record is not among these: they come before it.
        private(set) var position: Position
        private(set) var isCut = false

        /// - Parameter found: The children of each record, the last of them cut off by the limit of all together.
        init(_ parents: [RecordRow], _ found: [[RecordStub]], from position: Position) {
            whole = parents
            self.position = position
            for (index, stubs) in found.enumerated() {
                children += stubs.map { Child(parent: index, stub: $0) }
                guard children.count >= PrepareShare.childrenMax else { continue }
                whole = Array(parents.prefix(index))
                self.position = Position(parent: parents[index].number, child: stubs.last?.number ?? 0)
                break
            }
        }

        /// A child, and those after it, are left for the next transaction.
        mutating func cut(before child: Child) {
            isCut = true
            // Of parents that come later nothing was done.
            let parent = child.parent < whole.count ? whole[child.parent].number : position.parent
            position = Position(parent: parent, child: child.stub.number - 1)
            whole = Array(whole.prefix(child.parent))
        }
    }

    private func end(_ head: HeadRow, _ zone: ZoneRow, _ row: ShareRow) -> Decision<Position?> {
        var set = WriteSet()
        var head = head
        head.time = max(now, head.time)
        head.sequence += 1
        var ready = row
        ready.state = .live
        set.put(ready, replacing: row)
        // While one share is prepared no other one begins to be.
        var moved = zone
        (moved.sharing, moved.changedSequence) = (.records, head.sequence)
        set.zones = [ZoneWrite(old: zone, new: moved)]
        set.heads = [head]
        return .write(set, nil)
    }
}

extension Refusal {
    static let shareIsPreparing = Refusal.zoneBusy("this share is being prepared: try again in a moment", seconds: 1)
}
