/// Counts the rows of databases during a check, and compares them with the heads, which are read last.
struct DatabaseCounts {
    /// The number of rows that were found in one database.
    struct Count {
        /// A head with the counters that were found.
        var head = HeadRow(database: 0, kind: .personal, owner: nil)
        fileprivate var hasDefaultZone = false
    }

    private var counts: [DatabaseNumber: Count] = [:]
    private var nextHead: DatabaseNumber = 1
    /// The databases that were removed together with their owners.
    private var left: Set<DatabaseNumber> = []

    /// Whether this program knows all tables of the store. Otherwise the digests of heads are not compared.
    private let knowsTables: Bool

    init(knowsTables: Bool) { self.knowsTables = knowsTables }

    /// The counts of a database. A row must be counted before its columns are read, because a row that cannot be read
    /// counts as well.
    subscript(database: DatabaseNumber) -> Count {
        get { counts[database] ?? Count() }
        set { counts[database] = newValue }
    }

    /// Counts a zone that could be read by its state.
    mutating func count(_ zone: ZoneRow) {
        guard zone.state == .live else { return }
        self[zone.database].head.liveZones += 1
        if zone.isDefault { self[zone.database].hasDefaultZone = true }
    }

    // MARK: Heads

    /// Records that a database was removed. Must be called before ``meetHead(of:_:)``.
    mutating func leave(_ database: DatabaseNumber) { left.insert(database) }

    private mutating func passLeft() { while left.contains(nextHead) { nextHead += 1 } }

    /// Records that there is a head for a database, even if the head cannot be read. Must be called for all heads in
    /// the order of their numbers.
    mutating func meetHead(of database: DatabaseNumber, _ findings: inout Findings) {
        findings.expect(!left.contains(database), "heads", "database \(database) was removed, but still exists")
        passLeft()
        findings.expect(database == nextHead, "heads", "database \(nextHead) is missing")
        nextHead = database + 1
    }

    /// Examines a head, and compares its counters with the rows that were found.
    ///
    /// - Parameters:
    ///   - hasOwner: Whether there is a row of the owner that names this database.
    ///   - catalog: The catalog's row; nil if it cannot be read.
    mutating func examine(
        _ head: HeadRow, checksum: Int64, hasOwner: Bool, _ catalog: CatalogHead?, _ findings: inout Findings
    ) {
        let isLane = head.database <= catalog?.lanes ?? 1
        let name = "database \(head.database)"
        findings.expect(head.checksum == checksum, "heads", "\(name): its checksum is wrong")
        findings.expect(
            isLane == (head.kind == .publicLane) && isLane == (head.owner == nil), "heads",
            "\(name): has the wrong kind")
        findings.expect(
            head.hasStoredAnnex == head.annex.isFound, "heads",
            "\(name): its mark for an annex does not match its annex")
        findings.expect(isLane || hasOwner, "users", "the owner of \(name) is missing")
        compare(head, counts.removeValue(forKey: head.database) ?? Count(), &findings)
    }

    private func compare(_ head: HeadRow, _ real: Count, _ findings: inout Findings) {
        let counted: [(String, KeyPath<HeadRow, Int64>)] = [
            ("records", \.records), ("records", \.recordBytes), ("tombstones", \.tombstones), ("refs", \.references),
            ("change_events", \.events), ("zones", \.zones), ("zones", \.liveZones), ("cascades", \.cascades),
            ("trash", \.trash), ("asset_refs", \.assets), ("asset_refs", \.assetBytes),
            ("subscriptions", \.watchers.rawValue), ("shared_zones", \.visits),
        ]
        for (table, number) in counted {
            let (counted, found) = (head[keyPath: number], real.head[keyPath: number])
            findings.expect(
                counted == found, table,
                "database \(head.database): its head counts \(counted) rows or bytes, found \(found)")
        }
        findings.expect(
            !knowsTables || head.rowsDigest == real.head.rowsDigest, "heads",
            "database \(head.database): the digest of its rows is wrong: one of a described table was added or removed")
        findings.expect(real.hasDefaultZone, "zones", "database \(head.database): has no default zone")
    }

    /// Adds findings about missing heads, after all heads were examined.
    package mutating func finish(_ catalog: CatalogHead?, _ findings: inout Findings) {
        passLeft()
        let last = catalog?.lastDatabase ?? nextHead - 1
        findings.expect(
            nextHead == last + 1, "heads", "the last database is \(nextHead - 1), but \(last) were created")
        for database in counts.keys.sorted() {
            findings.add("heads", "database \(database) is missing, but has rows")
        }
    }
}
