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

    public init(
        database: DatabaseNumber, zone: ZoneNumber, record: Name, place: AssetPlace, address: [UInt8], user: UserID?,
        admission: Admission, expiresAt: Milliseconds, facts: [String] = []
    ) {
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

    public func sealed(key: [UInt8]) -> String {
        var content = TokenContent()
        // 1 if there is a user, plus 2 if facts follow.
        let flags: Int64 = (user == nil ? 0 : 1) | (facts.isEmpty ? 0 : 2)
        for number in [database, zone, Int64(place.index), expiresAt, flags] { content.append(number) }
        content.append(user ?? .server)
        content.append(admission)
        content.append(Int64(record.bytes.count))
        if !facts.isEmpty {
            content.append(Int64(facts.count))
            for fact in facts { content.append(Int64(fact.utf8.count)) }
        }
        return SealedToken.sealInURL(
            content.bytes + facts.flatMap(\.utf8) + address + record.bytes + place.field.bytes, for: .download,
            key: key)
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
            var content = TokenContent(reading: try SealedToken.open(inURL: text, for: .download, key: key))
            database = try content.next()
            zone = try content.next()
            let index = Int(clamping: try content.next())
            expiresAt = try content.next()
            let flags = try content.next()
            let named = try content.nextUser()
            user = flags & 1 != 0 ? named : nil
            admission = try content.nextAdmission()
            let length = Int(clamping: try content.next())
            var lengths: [Int] = []
            for _ in 0..<(flags & 2 != 0 ? max(0, try content.next()) : 0) {
                lengths.append(Int(clamping: try content.next()))
            }
            var rest = content.rest
            facts = []
            for length in lengths {
                guard 0...rest.count ~= length else { throw .failed }
                facts.append(String(decoding: rest.prefix(length), as: UTF8.self))
                rest = rest.dropFirst(length)
            }
            guard length >= 0, length < rest.count - AssetRow.addressBytes else { throw .failed }
            address = Array(rest.prefix(AssetRow.addressBytes))
            let names = rest.dropFirst(AssetRow.addressBytes)
            record = Name(bytes: names.prefix(length)).owned
            place = AssetPlace(field: Name(bytes: names.dropFirst(length)).owned, index: index)
        } catch {
            throw Self.unknown
        }
        guard now < expiresAt else {
            throw .authenticationFailed("this downloadURL has expired: fetch the record again")
        }
    }

    /// Called at the start of a download, and again before its last piece.
    ///
    /// - Parameter reading: Of ``Admission/reading``.
    public func check(_ reading: Reading, now: Milliseconds) throws(Refusal) {
        try admission.check("this downloadURL", of: user, reading, now: now)
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
            scope: link.database == NewUser.publicDatabase ? .public : .private, now: now, facts: link.facts)
    }

    public var reading: ReadSet {
        let zone = ZoneKey.number(link.database, link.zone)
        var set = link.admission.reading
        set.databases = [link.database]
        set.zones = [zone]
        set.records = [RecordKey(zone: zone, name: link.record)]
        set.ask(file)
        set.memberships = context.memberships(for: context.catalog.types.values)
        return set
    }

    private var file: Scan<AssetRow> { AssetRow.at([link.address], in: link.database) }

    /// The file to send.
    ///
    /// - Throws: ``Refusal/authenticationFailed(_:)`` if the link's holder was admitted by a credential that has been revoked;
    ///   ``Refusal/fileNotFound`` if the record is gone or hidden, or references another file now; ``Refusal/accessDenied(_:)``
    ///   if the caller may no longer see it.
    public func answer(_ reading: Reading) throws(Refusal) -> AssetRow {
        try link.check(reading, now: context.now)
        guard let head = reading.databases[0], let zone = reading.zones[0], zone.state == .live,
            case .record(let row) = reading.records[0], let type = context.catalog.type(row.type)
        else { throw .fileNotFound }
        if context.scope == .private {
            guard head.owner == link.user else { throw .accessDenied("you are not allowed to read this record") }
        } else {
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
    /// - Parameter makeURL: Creates a URL from the link's text.
    public func assets(of row: RecordRow, _ makeURL: @escaping @Sendable (String) -> String) -> AssetMembers.Source? {
        // A link must prove what its holder may see, and does not do that for zones of others yet.
        guard row.flags.contains(.assets), scope != .shared else { return nil }
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
                admission: admission, expiresAt: expiry, facts: facts)
            let secrets = AssetSecrets(asset.address, key: key, isPublic: database == NewUser.publicDatabase)
            return AssetMembers(
                downloadURL: makeURL(link.sealed(key: key)), wrappingKey: secrets.wrappingKey,
                referenceChecksum: secrets.referenceChecksum)
        }
    }
}
