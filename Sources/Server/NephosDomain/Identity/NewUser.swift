import CloudKitWire
package import NephosStorage

/// The rows of a user that is new to a tenant: a user record in the public database and, for a person, a private database with
/// its default zone.
package struct NewUser {
    let id: UserID
    let source: UserRow.Source
    let sourceID: String
    let now: Milliseconds
    /// The fields of the user record.
    var fields = CanonicalFields.empty

    package static let publicDatabase: DatabaseNumber = 1

    /// What ``rows(_:into:)`` must read, as the first of databases and zones.
    static var reading: ReadSet {
        var set = ReadSet()
        set.databases = [publicDatabase]
        set.zones = [.name(publicDatabase, defaultZoneName)]
        return set
    }

    func add(
        to writes: inout WriteSet, _ journal: inout RecordJournal, _ reading: Reading
    ) throws(Refusal) -> UserRow {
        guard let head = reading.databases[0], let zone = reading.zones[0] else { throw .failed }
        let privateDatabase = source.isPerson ? reading.catalog.head.lastDatabase + 1 : 0
        let user = UserRow(
            id: id, source: source, sourceID: sourceID, privateDatabase: privateDatabase, createdAt: now)
        writes.users = [user]
        if source.isPerson { addPrivateDatabase(privateDatabase, to: &writes) }
        let record = Record(of: id, fields: fields, epoch: reading.catalog.usersEpoch)
        record.add(to: &writes, &journal, reading.catalog, head: head, zone: zone, now: now)
        return user
    }

    /// A new user record.
    struct Record {
        let id: UserID
        let fields: Bytes
        let epoch: Int64

        init(of id: UserID, fields: Bytes = CanonicalFields.empty, epoch: Int64) {
            self.id = id
            self.fields = fields
            self.epoch = epoch
        }

        /// Adds the record, and advances head and zone.
        func add(
            to writes: inout WriteSet, _ journal: inout RecordJournal, _ catalog: Catalog, head: HeadRow, zone: ZoneRow,
            now: Milliseconds
        ) {
            var (head, moved) = (head, zone)
            head.time = max(head.time, now)
            let write = RecordWrite(old: nil, new: row(numberedBy: &head, zone: zone), references: nil)
            journal.save(write, type: catalog.usersType, .server, notifying: nil, head, to: &writes)
            moved.changedSequence = head.sequence
            writes.zones.append(ZoneWrite(old: zone, new: moved))
            writes.heads.append(head)
        }

        /// The row, with the next numbers of a head whose time has been set.
        func row(numberedBy head: inout HeadRow, zone: ZoneRow) -> RecordRow {
            head.sequence += 1
            head.recordNumber += 1
            return RecordRow(
                database: head.database, number: head.recordNumber, zone: zone.number, name: Name(id.recordName),
                sequence: head.sequence, tagSequence: head.sequence, type: usersTypeNumber, createdAt: head.time,
                createdBy: id, modifiedAt: head.time, modifiedBy: id, fieldsEpoch: epoch, fields: fields)
        }
    }

    private func addPrivateDatabase(_ number: DatabaseNumber, to writes: inout WriteSet) {
        var head = HeadRow(database: number, kind: .personal, owner: id)
        head.sequence = 1
        head.zoneNumber = 1
        head.time = now
        writes.databases = [head]
        let zone = ZoneRow(
            database: number, number: 1, name: defaultZoneName, createdSequence: 1, changedSequence: 1,
            createdAt: now)
        writes.zones.append(ZoneWrite(old: nil, new: zone))
    }
}
