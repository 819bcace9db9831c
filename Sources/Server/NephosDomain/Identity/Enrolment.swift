public import CloudKitWire
public import Crypto
public import NephosStorage

/// Creates the user of an account or of a key, if the tenant does not have it yet, and admits it.
///
/// A person gets a user record in the public database, and a private database with its default zone.
public struct Enrolment: Sendable {
    /// What the user gets besides the user row.
    public enum Entry: Sendable {
        /// A session, by random id (16 bytes) and secret (32 bytes).
        case session(id: [UInt8], secret: [UInt8], SessionRow.Kind, expiresAt: Milliseconds, from: RequestSource)
        /// A server-to-server key.
        case key(id: String, publicKey: [UInt8])
    }

    private let source: UserRow.Source
    private let sourceID: String
    private let newID: UserID
    private let entry: Entry
    private let now: Milliseconds

    /// Signs a person in.
    ///
    /// - Parameters:
    ///   - newID: The id for a user that is new to the tenant.
    ///   - kind: Determines how long the session lasts.
    ///   - end: Replaces the time at which an unused session ends.
    ///   - origin: Where the person is.
    public static func person(
        account: String, newID: UserID, sessionID: [UInt8], secret: [UInt8], kind: SessionRow.Kind = .fixed,
        expiresAt end: Milliseconds? = nil, from origin: RequestSource = RequestSource(), now: Milliseconds
    ) -> Enrolment {
        Enrolment(
            source: .account, sourceID: account, newID: newID,
            entry: .session(id: sessionID, secret: secret, kind, expiresAt: end ?? now + kind.length, from: origin),
            now: now)
    }

    /// Signs in a person whom another server has authenticated, for as long as one who stays signed in.
    ///
    /// - Parameter subject: That server's name for the person; unique in this container and environment.
    public static func external(
        subject: String, newID: UserID, sessionID: [UInt8], secret: [UInt8], now: Milliseconds
    ) -> Enrolment {
        let kind = SessionRow.Kind.kept
        return Enrolment(
            source: .external, sourceID: subject, newID: newID,
            entry: .session(
                id: sessionID, secret: secret, kind, expiresAt: now + kind.length, from: RequestSource()), now: now)
    }

    /// Registers the public half of a key, and the user it acts as.
    public static func key(_ key: P256.Signing.PublicKey, newID: UserID, now: Milliseconds) -> Enrolment {
        let id = ServerKey.id(of: key)
        return Enrolment(
            source: .serverKey, sourceID: id, newID: newID,
            entry: .key(id: id, publicKey: Array(key.x963Representation)), now: now)
    }

    private init(source: UserRow.Source, sourceID: String, newID: UserID, entry: Entry, now: Milliseconds) {
        self.source = source
        self.sourceID = sourceID
        self.newID = newID
        self.entry = entry
        self.now = now
    }

    private var known: Scan<UserRow> { UserRow.from([(source, sourceID)]) }

    public var reading: ReadSet {
        var set = NewUser.reading
        set.ask(known)
        return set
    }

    /// Returns the session row that was created; nil for a key.
    ///
    /// - Throws: ``Refusal/recordExists`` if the key is already registered.
    public func decide(_ reading: Reading) throws(Refusal) -> Decision<SessionRow?> {
        var writes = WriteSet()
        var journal = RecordJournal(reading.catalog)
        let user: UserRow
        if let known = reading[known].first {
            user = known
        } else {
            let newUser = NewUser(id: newID, source: source, sourceID: sourceID, now: now)
            user = try newUser.add(to: &writes, &journal, reading)
        }
        let heads = reading.databases.prefix(1).compactMap(\.self)
        if let more = journal.needs(heads, at: now, reading) { return .need(more) }
        journal.finish(heads, at: now, reading.found, to: &writes)
        switch entry {
        case .session(let id, let secret, let kind, let expiresAt, let origin):
            let session = SessionRow(
                id: id, user: user.id, privateDatabase: user.privateDatabase, secret: secret, createdAt: now,
                expiresAt: expiresAt, kind: kind)
            writes.put(session)
            writes.note(origin, of: session, replacing: nil)
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
}
