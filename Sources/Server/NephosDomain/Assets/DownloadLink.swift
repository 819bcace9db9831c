public import CloudKitWire
public import NephosStorage

/// Lets its holder download one file, as long as the caller for whom it was created may see the record that references it: the
/// content of a `downloadURL`.
public struct DownloadLink: Sendable, Equatable {
    /// How long a link is valid.
    public static let lifetime: Milliseconds = 5 * 60_000

    public var database: DatabaseNumber
    public var zone: ZoneNumber
    public var record: Name
    public var place: AssetPlace
    public var address: [UInt8]
    /// nil for an anonymous caller.
    public var user: UserID?
    public var admission: Admission
    public var expiresAt: Milliseconds
    /// Facts that were proved with that request, and that the record requires: a download does not prove them again.
    public var facts: [String]
    /// For a record of somebody else.
    public var member: MemberProof?

    public init(
        database: DatabaseNumber, zone: ZoneNumber, record: Name, place: AssetPlace, address: [UInt8], user: UserID?,
        admission: Admission, expiresAt: Milliseconds, facts: [String] = [], member: MemberProof? = nil
    ) {
        self.member = member
        self.facts = facts
        self.database = database
        self.zone = zone
        self.record = record
        self.place = place
        self.address = address
        self.user = user
        self.admission = admission
        self.expiresAt = expiresAt
    }

    /// What the URL contains: for a record of somebody else encrypted, because it contains numbers of their database.
    ///
    /// - Throws: ``Refusal/failed``.
    public func sealed(key: [UInt8]) throws(Refusal) -> String {
        member == nil
            ? SealedToken.sealInURL(content, for: .download, key: key)
            : try SealedToken.encryptInURL(content, for: .memberDownload, key: key)
    }

    private var content: [UInt8] {
        var content = TokenContent()
        // 1 if there is a user, plus 2 for a record of somebody else.
        let flags: Int64 = (user == nil ? 0 : 1) | (member == nil ? 0 : 2)
        for number in [database, zone, Int64(place.index), expiresAt, flags] { content.append(number) }
        content.append(user ?? .server)
        content.append(admission)
        if let member { content.append(member) }
        content.append(bytes: address)
        for bytes in [Array(record.bytes), Array(place.field.bytes)] { content.append(counted: bytes) }
        content.append(Int64(facts.count))
        for fact in facts { content.append(counted: Array(fact.utf8)) }
        return content.bytes
    }

    /// The refusal for a URL that no container issued; also used if the container does not exist.
    public static var unknown: Refusal {
        .authenticationFailed(
            "this is not a downloadURL of this container: use the URL exactly as the record contains it; an upload URL accepts POST and PUT"
        )
    }

    /// - Throws: ``Refusal/authenticationFailed(_:)`` for any text that this tenant did not issue, and for an expired one.
    public init(_ text: String, key: [UInt8], now: Milliseconds) throws(Refusal) {
        do throws(Refusal) {
            var content = TokenContent(
                reading: try SealedToken.open(
                    text, for: .download, orEncryptedFor: .memberDownload, key: key, .urlSafe))
            database = try content.next()
            zone = try content.next()
            let index = Int(clamping: try content.next())
            expiresAt = try content.next()
            let flags = try content.next()
            let named = try content.nextUser()
            user = flags & 1 != 0 ? named : nil
            admission = try content.nextAdmission()
            member = flags & 2 != 0 ? try content.nextProof() : nil
            address = Array(try content.next(AssetRow.addressBytes))
            record = Name(bytes: try content.nextCounted()).owned
            place = AssetPlace(field: Name(bytes: try content.nextCounted()).owned, index: index)
            facts = []
            for _ in 0..<max(0, try content.next()) {
                facts.append(String(decoding: try content.nextCounted(), as: UTF8.self))
            }
        } catch {
            throw Self.unknown
        }
        guard now < expiresAt else {
            throw .authenticationFailed("this downloadURL has expired: fetch the record again")
        }
    }

    private var recordKey: RecordKey { RecordKey(zone: .number(database, zone), name: record) }

    /// What ``check(_:now:)`` needs.
    public var reading: ReadSet {
        var set = admission.reading
        if let member, let user {
            member.ask(user, in: database, &set)
            set.stubs = [recordKey]
        }
        return set
    }

    /// Called at the start of a download, and again while it goes on and before its last piece.
    ///
    /// - Parameter reading: Of ``reading``.
    /// - Throws: ``Refusal/authenticationFailed(_:)`` if the credential of its holder was revoked, ``Refusal/fileNotFound`` if they
    ///   do not see the record any more by the share by which they got it.
    public func check(_ reading: Reading, now: Milliseconds) throws(Refusal) {
        try admission.check("this downloadURL", of: user, reading, now: now)
        guard let member else { return }
        guard let user, let stub = reading.stubs.first ?? nil,
            member.reach(of: user, in: database, reading).contains(stub.share)
        else { throw .fileNotFound }
    }
}

/// Starts a download: checks again whether the caller may see the record, and whether it still references the file.
public struct OpenDownload: Sendable {
    private let link: DownloadLink
    private let context: RequestContext

    /// - Parameter catalog: The catalog that this process remembers.
    public init(_ link: DownloadLink, catalog: Catalog, now: Milliseconds) {
        self.link = link
        context = RequestContext(
            catalog: catalog, caller: link.user.map(Caller.serverKey) ?? .anonymous,
            scope: link.database == NewUser.publicDatabase ? .public : link.member == nil ? .private : .shared,
            now: now, facts: link.facts)
    }

    public var reading: ReadSet {
        let zone = ZoneKey.number(link.database, link.zone)
        var set = link.reading
        set.databases = [link.database]
        set.zones.insert(zone, at: 0)
        set.records = [RecordKey(zone: zone, name: link.record)]
        set.ask(file)
        set.memberships = context.memberships(for: context.catalog.types.values)
        return set
    }

    private var file: Scan<AssetRow> { AssetRow.at([link.address], in: link.database) }

    /// The file to send.
    ///
    /// - Throws: The refusals of ``DownloadLink/check(_:now:)``; ``Refusal/fileNotFound`` if the record is gone or hidden, or references
    ///   another file now; ``Refusal/accessDenied(_:)`` if the caller may no longer see it.
    public func answer(_ reading: Reading) throws(Refusal) -> AssetRow {
        try link.check(reading, now: context.now)
        guard let head = reading.databases[0], let zone = reading.zones[0], zone.state == .live,
            case .record(let row) = reading.records[0], let type = context.catalog.type(row.type)
        else { throw .fileNotFound }
        switch context.scope {
        case .private:
            guard head.owner == link.user else { throw .accessDenied("you are not allowed to read this record") }
        case .shared: break
        case .public:
            let visibility = Visibility(context, type: type, roles: reading.memberships.first ?? [])
            guard visibility.shows(row) else {
                if visibility.hides(row) { throw .fileNotFound }
                throw .accessDenied("you are not allowed to read records of type \(type.row.name.excerpt)")
            }
        }
        let holds = CanonicalFields.assets(in: row.liveFields(of: type)).contains {
            $0.place == link.place && $0.asset.address == link.address
        }
        guard holds, let file = reading[file].first else { throw .fileNotFound }
        return file
    }
}

extension RequestContext {
    /// The members that answers contain about the assets of a record that this caller may see; nil for a record without any.
    ///
    /// - Parameters:
    ///   - member: For a record of somebody else.
    ///   - makeURL: Creates a URL from the link's text.
    public func assets(
        of row: RecordRow, member: MemberProof? = nil, _ makeURL: @escaping @Sendable (String) -> String
    ) -> AssetMembers.Source? {
        guard row.flags.contains(.assets), scope != .shared || member != nil else { return nil }
        let (key, user, admission) = (signingKey, caller.person, admission)
        let type = catalog.type(row.type)
        // Not beyond the time at which the record stops being shown.
        let edge = type.flatMap { hours(of: $0).nextEdge(of: row, after: now) }
        // The roles for seeing it are checked again at the download.
        let asked = facts.isEmpty ? [] : type.map { hours(of: $0).facts(askedBy: row) } ?? []
        let facts = facts.filter(asked.contains)
        let expiry = min(edge ?? .max, now + DownloadLink.lifetime)
        let (database, zone, name) = (row.database, row.zone, row.name)
        return { place, asset in
            let link = DownloadLink(
                database: database, zone: zone, record: name, place: place, address: asset.address, user: user,
                admission: admission, expiresAt: expiry, facts: facts, member: member)
            let secrets = AssetSecrets(asset.address, key: key, isPublic: database == NewUser.publicDatabase)
            return AssetMembers(
                // A URL without a link opens nothing.
                downloadURL: makeURL((try? link.sealed(key: key)) ?? ""), wrappingKey: secrets.wrappingKey,
                referenceChecksum: secrets.referenceChecksum)
        }
    }
}
