import CloudKitWire
import NephosQueries
import NephosStorage

/// Checks that indexes hold what the records say.
struct IndexCheck {
    private var audit = IndexAudit()

    mutating func run(_ walk: inout TableWalk) throws(StorageError) {
        try audit.checkIndexes(&walk)
        try checkRecords(&walk)
        try audit.checkEntries(&walk)
    }

    /// Looks for the entries of every record of a database that has indexes.
    private mutating func checkRecords(_ walk: inout TableWalk) throws(StorageError) {
        for database in audit.databases {
            try walk.keepingOn("records") { walk throws(StorageError) in
                try checkRecords(of: database, &walk)
            }
        }
    }

    private mutating func checkRecords(
        of database: DatabaseNumber, _ walk: inout TableWalk
    ) throws(StorageError) {
        let kept = audit.kept(in: database)
        let records = IndexedRecords(tenant: walk.tenant, database: database, types: Array(kept.keys))
        var position: RecordNumber = .min
        var wanted: [IndexAudit.Entry] = []
        while true {
            let page = try records.page(
                position...(.max), limit: recordsRead, wantedMax: recordsRead, walk.transaction)
            for index in 0..<page.count {
                wanted += try entries(page, index, kept, &walk.findings)
                if wanted.count >= entriesAtOnce { try look(for: &wanted, of: database, &walk) }
            }
            guard page.hasMore, let last = page.last else { break }
            position = last + 1
        }
        try look(for: &wanted, of: database, &walk)
    }

    /// The entries that a record should have; what cannot be read is a finding.
    private func entries(
        _ page: IndexedRecords.Page, _ index: Int, _ kept: [TypeNumber: KeptIndexes], _ findings: inout Findings
    ) throws(StorageError) -> [IndexAudit.Entry] {
        do throws(StorageError) {
            let record = try page.record(index)
            guard let indexes = kept[record.row.type] else { return [] }
            return audit.entries(of: record.row, in: indexes, isLive: record.isLive)
        } catch {
            guard case .corrupt(let what) = error else { throw error }
            findings.add("records", "\(page.label(index)): \(what)")
            return []
        }
    }

    /// Looks up all that gathered, many at once. A record alone may have thousands.
    private mutating func look(
        for wanted: inout [IndexAudit.Entry], of database: DatabaseNumber, _ walk: inout TableWalk
    ) throws(StorageError) {
        let stored = try walk.tenant.stored(database)
        for start in stride(from: 0, to: wanted.count, by: entriesAtOnce) {
            let entries = wanted[start...].prefix(entriesAtOnce)
            let found = try walk.transaction.run(Self.presence) {
                $0.add(stored)
                $0.add(numbers: entries.map(\.zone))
                $0.add(numbers: entries.map(\.place.index))
                $0.add(pieces: entries.map(\.key))
                $0.add(numbers: entries.map(\.record))
            }
            guard found.count == entries.count else { throw .failed("a look-up of entries has no answer") }
            for (index, entry) in entries.enumerated() {
                audit.judge(entry, isThere: found[index].bool(0), &walk.findings)
            }
        }
        wanted = []
    }

    private static let presence = Statement(
        """
        SELECT (
            SELECT true FROM index_rows AS e
            WHERE e.db = $1 AND e.zone_no = w.zone_no AND e.index_no = w.index_no AND e.key = w.key
                AND e.record_no = w.record_no
        )
        FROM unnest($2::bigint[], $3::bigint[], $4::bytea[], $5::bigint[]) WITH ORDINALITY
            AS w (zone_no, index_no, key, record_no, place)
        ORDER BY w.place
        """)
}

/// Records that are read at once.
private let recordsRead = 500
/// Entries that are looked up at once.
private let entriesAtOnce = 500
