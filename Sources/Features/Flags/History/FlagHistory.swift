import CloudKitWire
import NephosDomain
import NephosStorage

/// Keeps what flags were, in the transaction of whatever changes them (docs/flags.md, "History").
struct FlagHistory: RecordRule {
    /// Where the settings cannot be read, nobody knows which records are flags.
    func concerns(_ type: Name, in catalog: Catalog) -> Bool { (try? catalog.flagType()) == type }

    /// A flag that stood before there was a history begins it with what it was.
    var readsFields: Bool { true }

    func reading(_ changes: RecordChanges) -> AskedRows {
        var set = AskedRows()
        guard changes.head.kind == .publicLane else { return set }
        for name in Set(changes.asked.map(\.name)).sorted() {
            set.ask(FlagChangeRow.newest(of: name))
            set.ask(FlagChangeRow.oldest(of: name))
        }
        return set
    }

    func follow(_ changes: RecordChanges, _ reading: FoundRows, _ rows: inout FollowingRows) {
        guard changes.head.kind == .publicLane else { return }
        for change in changes.all {
            let newest = reading[FlagChangeRow.newest(of: change.name)].first
            let before = newest == nil ? change.firstVersion : nil
            if let before { rows.put(before) }
            let last = newest ?? before
            guard last?.fields != change.new?.fields else { continue }
            let row = FlagChangeRow(
                database: Flags.database, flag: change.name.owned, version: (last?.version ?? 0) + 1,
                fields: change.new?.fields, changedAt: changes.now, author: changes.historyName(of: change))
            rows.put(row)
            if let oldest = reading[FlagChangeRow.oldest(of: change.name)].first,
                row.version - oldest.version >= Int64(FlagChangeRow.kept)
            {
                rows.remove(oldest)
            }
        }
    }
}

extension RecordChanges {
    /// Who makes a change, for people.
    fileprivate func historyName(of change: RecordChange) -> String {
        switch change.cause {
        case .reset: "reset of the environment"
        case .asked, .cascade, .restoration, .server, .replaced: author.isEmpty ? "the server" : author
        }
    }
}

extension RecordChange {
    /// What a flag was that nobody has kept a version of; nil for one that is made.
    fileprivate var firstVersion: FlagChangeRow? {
        oldRow.map { row in
            FlagChangeRow(
                database: Flags.database, flag: name.owned, version: 1, fields: row.fields, changedAt: row.modifiedAt,
                author: row.modifiedBy == .server ? "the server" : row.modifiedBy.recordName)
        }
    }
}
