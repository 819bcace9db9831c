import CloudKitWire
import NephosQueries
import NephosStorage

/// Loads a read set: everything that can be requested together in one round trip, and then what depends on the results.
final class ReadBatch {
    /// The calls of one part of the set, and how their results are loaded.
    private struct Part {
        var calls: Int
        var load: (ArraySlice<Rows>, Transaction, inout Reading, inout TombstonedNames) throws(StorageError) -> Void
    }

    /// All calls that can be sent together.
    private(set) var calls: [Call] = []
    /// Whether ``load(_:_:into:)`` may send more than ``calls``.
    private(set) var mayAskMore = false
    private var parts: [Part] = []
    /// For requested records and stubs that do not exist: whether there is a tombstone of their name.
    private(set) var tombstoned = TombstonedNames()
    private let tenant: TenantNumber

    /// - Parameter headsAreKnown: Whether the set is read by a commit: then its heads are neither read nor added to the
    ///   reading, and described rows are locked as specified by its scans.
    init(_ set: ReadSet, _ tenant: TenantNumber, headsAreKnown: Bool = false) throws(StorageError) {
        self.tenant = tenant
        if !headsAreKnown { try addHeads(set.databases) }
        try addShareVersions(set.shareVersions)
        try addSessions(set.sessionsOfDevices)
        try addMemberships(set.memberships)
        try addZones(set)
        try addRecords(set)
        try addReferences(set)
        addFeeds(try FeedPages(set, tenant))
        try addFeeds(of: set)
        try addNames(set.names)
        try addWalks(set.walks)
        try addQueries(set.queries)
        try addLists(set)
        let tables = TableReader(tenant: tenant, isForUpdate: headsAreKnown)
        for scan in set.scans { try add(scan, tables) }
    }

    /// Takes the results of ``calls`` from the front of `answers`, requests what depends on them, and appends everything to `reading`.
    func load(
        _ answers: inout ArraySlice<Rows>, _ transaction: Transaction, into reading: inout Reading
    ) throws(StorageError) {
        for part in parts {
            let own = answers.prefix(part.calls)
            guard own.count == part.calls else { throw .failed("a read set lacks answers") }
            answers = answers.dropFirst(part.calls)
            try part.load(own, transaction, &reading, &tombstoned)
        }
    }

    private typealias Load<Answer> =
        (Answer, Transaction, inout Reading, inout TombstonedNames) throws(StorageError) -> Void

    private func add(_ calls: [Call], _ load: @escaping Load<ArraySlice<Rows>>) {
        self.calls += calls
        parts.append(Part(calls: calls.count, load: load))
    }

    private func add(_ call: Call, _ load: @escaping Load<Rows>) {
        add([call]) { answers, transaction, reading, tombstoned throws(StorageError) in
            if let rows = answers.first { try load(rows, transaction, &reading, &tombstoned) }
        }
    }

    // MARK: Parts

    private func addHeads(_ databases: [DatabaseNumber]) throws(StorageError) {
        guard !databases.isEmpty else { return }
        let reader = HeadReader(tenant: tenant)
        add(try reader.heads(databases)) { answers, _, reading, _ throws(StorageError) in
            let heads = try reader.read(answers)
            reading.databases += databases.map { heads[$0] }
        }
    }

    private func addShareVersions(_ databases: [DatabaseNumber]) throws(StorageError) {
        guard !databases.isEmpty else { return }
        add(try HeadReader(tenant: tenant).sharesVersions(databases)) { answers, _, reading, _ throws(StorageError) in
            reading.shareVersions += answers.map { $0.first.map { row in row.int(0) } }
        }
    }

    private func addSessions(_ devices: [DeviceKey]) throws(StorageError) {
        guard !devices.isEmpty else { return }
        let reader = SessionReader(tenant: tenant)
        add(try reader.calls(of: devices)) { answers, _, reading, _ throws(StorageError) in
            reading.sessionsOfDevices += try reader.read(answers)
        }
    }

    private func addMemberships(_ users: [UserID]) throws(StorageError) {
        guard !users.isEmpty else { return }
        let reader = MembershipReader(tenant: tenant)
        add(try reader.fields(of: users)) { rows, _, reading, _ throws(StorageError) in
            reading.memberships += try reader.roles(rows, of: users)
        }
    }

    private func addZones(_ set: ReadSet) throws(StorageError) {
        let reader = ZoneReader(tenant: tenant)
        if !set.zones.isEmpty {
            add(try reader.zones(set.zones)) { answers, _, reading, _ throws(StorageError) in
                reading.zones += try reader.read(answers, keys: set.zones)
            }
        }
        for database in set.zoneLists {
            add(try reader.live(database)) { rows, _, reading, _ throws(StorageError) in
                reading.zoneLists.append(try rows.map(reader.read))
            }
        }
        for scan in set.zoneFeeds {
            add(try reader.page(scan)) { rows, _, reading, _ throws(StorageError) in
                reading.zoneFeeds.append(try reader.read(rows, scan))
            }
        }
    }

    private func addRecords(_ set: ReadSet) throws(StorageError) {
        let reader = RecordReader(tenant: tenant)
        if !set.records.isEmpty {
            let (keys, limit) = (set.records, set.recordByteLimit)
            add(try reader.records(keys, byteLimit: limit, within: set.within)) {
                answers, _, reading, tombstoned throws(StorageError) in
                reading.records += try reader.found(answers, keys, byteLimit: limit, &tombstoned)
            }
        }
        if !set.stubs.isEmpty {
            add(try reader.stubs(set.stubs)) { answers, _, reading, tombstoned throws(StorageError) in
                reading.stubs += try reader.stubs(answers, set.stubs, within: set.within, &tombstoned)
            }
        }
        for scan in set.ancestors {
            add(try reader.ancestors(scan)) { rows, _, reading, _ throws(StorageError) in
                reading.ancestors.append(try reader.line(rows))
            }
        }
    }

    private func addReferences(_ set: ReadSet) throws(StorageError) {
        let reader = ReferenceReader(tenant: tenant)
        if !set.referrers.isEmpty {
            let (scans, rowsMax) = (set.referrers, set.referrerRowsMax)
            add(try reader.referrers(scans, rowsMax: rowsMax, within: set.within)) {
                answers, _, reading, _ throws(StorageError) in
                reading.referrers += try reader.read(answers, scans, rowsMax: rowsMax)
            }
        }
        for scan in set.cascades {
            add(try reader.cascade(scan, within: set.within)) { rows, _, reading, _ throws(StorageError) in
                reading.cascades.append(try reader.edges(rows))
            }
        }
    }

    private func addFeeds(_ feeds: FeedPages) {
        guard !feeds.calls.isEmpty else { return }
        if feeds.mayAskMore { mayAskMore = true }
        add(feeds.calls) { answers, transaction, reading, _ throws(StorageError) in
            try feeds.read(answers, transaction, into: &reading)
        }
    }

    /// Of shares, and of their members.
    private func addFeeds(of set: ReadSet) throws(StorageError) {
        let reader = FeedReader(tenant: tenant)
        for scan in set.shares {
            add(try reader.page(scan)) { rows, _, reading, _ throws(StorageError) in
                var alone = SharedPages(.unlimited)
                reading.shares.append(try reader.page(rows, scan, &alone))
            }
        }
        guard !set.memberFeeds.isEmpty else { return }
        mayAskMore = true
        let feeds = try MemberFeedPages(set, tenant)
        add(feeds.calls) { answers, transaction, reading, _ throws(StorageError) in
            try feeds.read(answers, transaction, into: &reading)
        }
    }

    private func addNames(_ scans: [NameScan]) throws(StorageError) {
        let reader = NameReader(tenant: tenant)
        for scan in scans {
            mayAskMore = true
            add(try reader.first(scan)) { rows, transaction, reading, _ throws(StorageError) in
                reading.names.append(try reader.page(rows, scan, transaction))
            }
        }
    }

    private func addWalks(_ walks: [RecordWalk]) throws(StorageError) {
        let reader = WalkReader(tenant: tenant)
        for walk in walks {
            add(try reader.page(walk)) { rows, _, reading, _ throws(StorageError) in
                reading.walks.append(try reader.read(rows, walk))
            }
        }
    }

    private func addQueries(_ scans: [QueryScan]) throws(StorageError) {
        let tenant = tenant
        for scan in scans {
            mayAskMore = true
            add(try QueryReader.calls(scan, tenant)) { answers, transaction, reading, _ throws(StorageError) in
                var source = try QueryReader(answers, scan, tenant, transaction)
                reading.queries.append(try QueryWalk.page(scan, source: &source))
            }
        }
    }

    private func addLists(_ set: ReadSet) throws(StorageError) {
        if set.unreferencedFiles {
            add(AssetReader.unreferencedFiles(tenant)) { rows, _, reading, _ throws(StorageError) in
                reading.unreferencedFiles = try AssetReader.readUnreferenced(rows)
            }
        }
        let heads = HeadReader(tenant: tenant)
        for scan in set.annexes {
            add(try heads.annexes(scan)) { answers, _, reading, _ throws(StorageError) in
                reading.annexes.append(try heads.read(answers, of: scan))
            }
        }
        let events = EventReader(tenant: tenant)
        for scan in set.events {
            add(try events.changes(scan)) { rows, _, reading, _ throws(StorageError) in
                reading.events.append(try events.read(rows))
            }
        }
    }

    private func add(_ scan: some AnyScan, _ tables: TableReader) throws(StorageError) {
        let scan = scan.scan
        guard !scan.isEmpty else { return add([]) { _, _, reading, _ in reading[scan] = [] } }
        add(try tables.calls(scan)) { answers, _, reading, _ throws(StorageError) in
            reading[scan] = try tables.rows(answers, of: scan)
        }
    }
}
