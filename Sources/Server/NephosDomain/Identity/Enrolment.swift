public import CloudKitWire
public import NephosStorage

/// Makes the user of an account or of a key, where a tenant does not know them yet, and lets them in.
///
/// A person gets a user record in the public database, and a private database with its default zone.
public struct Enrolment: Sendable {
    /// What the user gets besides being known.
    public enum Entry: Sendable {
        /// A session, by random id (16 bytes) and secret (32 bytes).
        case session(id: [UInt8], secret: [UInt8], expiresAt: Milliseconds)
        /// A server-to-server key.
        case key(id: String, publicKey: [UInt8])
    }

    private let source: UserRow.Source
    private let sourceID: String
    private let newID: UserID
    private let entry: Entry
    private let now: Milliseconds
    private let publicDatabase: DatabaseNumber = 1

    /// Signs a person in. - Parameter newID: The id they get if the tenant sees them for the first time.
    public static func person(
        account: String, newID: UserID, sessionID: [UInt8], secret: [UInt8], expiresAt: Milliseconds,
        now: Milliseconds
    ) -> Enrolment {
        Enrolment(
            source: .account, sourceID: account, newID: newID,
            entry: .session(id: sessionID, secret: secret, expiresAt: expiresAt), now: now)
    }

    /// Registers the public half of a key, and the user it acts as.
    public static func key(id: String, publicKey: [UInt8], newID: UserID, now: Milliseconds) -> Enrolment {
        Enrolment(
            source: .serverKey, sourceID: id, newID: newID, entry: .key(id: id, publicKey: publicKey), now: now)
    }

    private init(source: UserRow.Source, sourceID: String, newID: UserID, entry: Entry, now: Milliseconds) {
        self.source = source
        self.sourceID = sourceID
        self.newID = newID
        self.entry = entry
        self.now = now
    }

    public var reading: ReadSet {
        var set = ReadSet()
        set.databases = [publicDatabase]
        set.users = [.source(source, sourceID)]
        set.zones = [.name(publicDatabase, defaultZoneName)]
        return set
    }

    /// Answers the session row that was made; for a key, nil.
    ///
    /// - Throws: ``Refusal/recordExists`` when the key is registered already.
    public func decide(_ reading: Reading) throws(Refusal) -> Decision<SessionRow?> {
        var writes = WriteSet()
        let user: UserRow
        if let known = reading.users[0] {
            user = known
        } else {
            user = try enrol(reading, into: &writes)
        }
        switch entry {
        case .session(let id, let secret, let expiresAt):
            let session = SessionRow(
                id: id, user: user.id, privateDatabase: user.privateDatabase, secret: secret, createdAt: now,
                expiresAt: expiresAt)
            writes.catalog.append(CatalogWrite(new: .session(session)))
            return .write(writes, session)
        case .key(let id, let publicKey):
            if let key = reading.catalog.keys[id] {
                guard key.revokedAt != 0 else { throw .recordExists(nil) }
                writes.catalog.append(
                    CatalogWrite(
                        old: .key(key),
                        new: .key(ServerKeyRow(id: id, publicKey: publicKey, user: user.id, createdAt: now))))
            } else {
                writes.catalog.append(
                    CatalogWrite(new: .key(ServerKeyRow(id: id, publicKey: publicKey, user: user.id, createdAt: now))))
            }
            return .write(writes, nil)
        }
    }

    private func enrol(_ reading: Reading, into writes: inout WriteSet) throws(Refusal) -> UserRow {
        guard var head = reading.databases[0], let zone = reading.zones[0] else { throw .failed }
        let privateDatabase = source == .account ? reading.catalog.head.lastDatabase + 1 : 0
        let user = UserRow(
            id: newID, source: source, sourceID: sourceID, privateDatabase: privateDatabase, createdAt: now)
        writes.users = [user]
        if source == .account { addPrivateDatabase(privateDatabase, to: &writes) }

        head.time = max(head.time, now)
        head.sequence += 1
        head.recordNumber += 1
        let record = RecordRow(
            database: publicDatabase, number: head.recordNumber, zone: zone.number, name: Name(newID.recordName),
            sequence: head.sequence, tagSequence: head.sequence, type: usersTypeNumber, createdAt: head.time,
            createdBy: newID, modifiedAt: head.time, modifiedBy: newID, fields: CanonicalFields.empty)
        writes.records = [RecordWrite(old: nil, new: record, references: nil)]
        var moved = zone
        moved.changedSequence = head.sequence
        writes.zones.append(ZoneWrite(old: zone, new: moved))
        writes.heads = [head]
        return user
    }

    private func addPrivateDatabase(_ number: DatabaseNumber, to writes: inout WriteSet) {
        var head = HeadRow(database: number, kind: .personal, owner: newID)
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
