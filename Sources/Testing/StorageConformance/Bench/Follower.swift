import CloudKitWire
import NephosStorage

/// A device that follows the feed of one zone and stores its changes.
struct Follower {
    let zone: TestZone
    /// The tag of each known record.
    private(set) var content: [Name: Sequence] = [:]
    private(set) var position: Sequence = 0

    init(zone: TestZone) { self.zone = zone }

    /// Reads the page after the last one. - Returns: Whether there is more.
    @discardableResult
    mutating func readPage(limit: Int) throws -> Bool {
        let page = try zone.feed(after: position, limit: limit)
        try expect(
            page.position > position || !page.more, "a page that is not the last does not advance from \(position)")
        for change in page.changes {
            try expect(change.sequence > position, "the feed went from \(position) back to \(change.sequence)")
            position = change.sequence
            switch change {
            case .record(let row): content[row.name.owned] = row.tagSequence
            case .tombstone(let row): content[row.name] = nil
            case .departure(let row): content[row.name] = nil
            }
        }
        try expect(page.position >= position, "a page ends at \(page.position), before its last change \(position)")
        position = page.position
        return page.more
    }

    /// The contents of the zone, read in one page.
    static func everything(in zone: TestZone) throws -> [Name: Sequence] {
        var follower = Follower(zone: zone)
        while try follower.readPage(limit: .max) {}
        return follower.content
    }
}

extension FeedChange {
    /// The name of an existing record; nil for a tombstone.
    var recordName: Name? {
        if case .record(let row) = self { row.name } else { nil }
    }

    var name: Name {
        switch self {
        case .record(let row): row.name
        case .tombstone(let row): row.name
        case .departure(let row): row.name
        }
    }
}
