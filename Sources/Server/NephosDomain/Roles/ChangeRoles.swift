public import CloudKitWire
public import NephosStorage

/// Assigns a role to a person or a key, or revokes it. This saves their user record, and is the only way to change its field
/// `roles`.
///
/// A person who is new to the tenant becomes its user, as with their first session.
public struct ChangeRoles: Sendable {
    public enum Change: Sendable { case assign, revoke }

    private let change: Change
    private let role: Int64
    private let source: UserRow.Source
    private let sourceID: String
    private let newID: UserID
    private let now: Milliseconds

    /// - Parameters:
    ///   - role: Its name; the caller must check that the environment has such a role.
    ///   - sourceID: Id of the account or of the key.
    ///   - newID: The id for a user that is new to the tenant.
    public init(
        _ change: Change, role: Name, source: UserRow.Source, sourceID: String, newID: UserID, now: Milliseconds
    ) {
        self.change = change
        self.role = RoleRow(named: role).number
        self.source = source
        self.sourceID = sourceID
        self.newID = newID
        self.now = now
    }

    private var known: Scan<UserRow> { UserRow.from([(source, sourceID)]) }

    public var reading: ReadSet {
        var set = NewUser.reading
        set.ask(known)
        return set
    }

    /// Returns whether anything changed.
    ///
    /// - Throws: ``Refusal/recordNotFound`` for an unknown key: keys are added by registering them.
    public func decide(_ reading: Reading) throws(Refusal) -> Decision<Bool> {
        guard let user = reading[known].first else {
            guard source == .account else { throw .recordNotFound }
            return try begin(reading)
        }
        guard let held = reading.memberships.first, let found = reading.records.first else {
            var more = ReadSet()
            more.memberships = [user.id]
            more.records = [
                RecordKey(zone: .name(NewUser.publicDatabase, defaultZoneName), name: Name(user.id.recordName))
            ]
            return .need(more)
        }
        let roles = roles(after: held)
        guard roles != held else { return .write(WriteSet(), false) }
        guard let head = reading.databases[0], let zone = reading.zones[0] else { throw .failed }
        var set = WriteSet()
        var journal = RecordJournal(reading.catalog)
        if case .record(let row) = found, let type = reading.catalog.type(row.type) {
            save(row, type, with: roles, head, zone, &journal, to: &set)
        } else {
            let epoch = reading.catalog.usersEpoch
            let new = NewUser.Record(of: user.id, fields: UserRoles.patch(roles).set, epoch: epoch)
            new.add(to: &set, &journal, reading.catalog, head: head, zone: zone, now: now)
        }
        return finish(journal, reading, set)
    }

    private func begin(_ reading: Reading) throws(Refusal) -> Decision<Bool> {
        guard change == .assign else { return .write(WriteSet(), false) }
        var set = WriteSet()
        var user = NewUser(id: newID, source: source, sourceID: sourceID, now: now)
        user.fields = UserRoles.patch([role]).set
        var journal = RecordJournal(reading.catalog)
        _ = try user.add(to: &set, &journal, reading)
        return finish(journal, reading, set)
    }

    private func finish(_ journal: RecordJournal, _ reading: Reading, _ writes: WriteSet) -> Decision<Bool> {
        let heads = reading.databases.prefix(1).compactMap(\.self)
        if let more = journal.needs(heads, at: now, reading) { return .need(more) }
        var set = writes
        journal.finish(heads, at: now, reading.found, to: &set)
        return .write(set, true)
    }

    private func roles(after held: [Int64]) -> [Int64] {
        switch change {
        case .assign: held.contains(role) ? held : (held + [role]).sorted()
        case .revoke: held.filter { $0 != role }
        }
    }

    private func save(
        _ row: RecordRow, _ type: RecordType, with roles: [Int64], _ head: HeadRow, _ zone: ZoneRow,
        _ journal: inout RecordJournal, to set: inout WriteSet
    ) {
        let draft = RecordDraft(
            name: row.name, type: type.row.name, patch: UserRoles.patch(roles), replaces: false, parent: row.parent,
            base: RecordDraft.Base(row, type: type))
        var (head, moved) = (head, zone)
        head.time = max(head.time, now)
        head.sequence += 1
        moved.changedSequence = head.sequence
        let new = draft.row(
            database: head.database, zone: zone.number, type: type.row, number: row.number, sequence: head.sequence,
            time: head.time, user: .server)
        set.heads = [head]
        set.zones = [ZoneWrite(old: zone, new: moved)]
        journal.save(draft.write(new), type: type.row, replacing: row, .server, notifying: .updated, head, to: &set)
    }
}
