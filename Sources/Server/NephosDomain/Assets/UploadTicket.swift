public import CloudKitWire
public import NephosStorage

/// Lets its holder upload files, one after the other, into a database for a while: the content of an upload URL of
/// `assets/upload`.
public struct UploadTicket: Sendable, Equatable {
    /// How long a ticket is valid.
    public static let lifetime: Milliseconds = 15 * 60_000

    public var database: DatabaseNumber
    public var user: UserID
    public var admission: Admission
    public var expiresAt: Milliseconds
    /// Makes tickets distinct.
    public var nonce: Int64
    /// For a zone of somebody else.
    public var member: MemberProof?

    public init(
        database: DatabaseNumber, user: UserID, admission: Admission, expiresAt: Milliseconds, nonce: Int64,
        member: MemberProof? = nil
    ) {
        self.member = member
        self.database = database
        self.user = user
        self.admission = admission
        self.expiresAt = expiresAt
        self.nonce = nonce
    }

    /// What the URL contains: for a zone of somebody else encrypted, because it contains numbers of their database.
    ///
    /// - Throws: ``Refusal/failed``.
    public func sealed(key: [UInt8]) throws(Refusal) -> String {
        member == nil
            ? SealedToken.sealInURL(content, for: .upload, key: key)
            : try SealedToken.encryptInURL(content, for: .memberUpload, key: key)
    }

    private var content: [UInt8] {
        var content = TokenContent()
        content.append(database)
        content.append(user)
        for number in [expiresAt, nonce, member == nil ? 0 : 1] { content.append(number) }
        content.append(admission)
        if let member { content.append(member) }
        return content.bytes
    }

    /// The refusal for a URL that no container issued; also used if the container does not exist.
    public static var unknown: Refusal {
        .authenticationFailed(
            "this is not an upload URL of this container: use the URL exactly as assets/upload returned it")
    }

    /// - Throws: ``Refusal/authenticationFailed(_:)`` for any text that this tenant did not issue, and for an expired one.
    public init(_ text: String, key: [UInt8], now: Milliseconds) throws(Refusal) {
        do throws(Refusal) {
            var content = TokenContent(
                reading: try SealedToken.open(text, for: .upload, orEncryptedFor: .memberUpload, key: key, .urlSafe))
            database = try content.next()
            user = try content.nextUser()
            expiresAt = try content.next()
            nonce = try content.next()
            let isMembers = try content.next() == 1
            admission = try content.nextAdmission()
            member = isMembers ? try content.nextProof() : nil
        } catch {
            throw Self.unknown
        }
        guard now < expiresAt else {
            throw .authenticationFailed("this upload URL has expired: request another with assets/upload")
        }
    }

    /// What ``check(_:now:)`` needs.
    public var reading: ReadSet {
        var set = admission.reading
        member?.ask(user, in: database, &set)
        return set
    }

    /// Called at the start of an upload, and again at its end.
    ///
    /// - Parameter reading: Of ``reading``.
    /// - Throws: ``Refusal/authenticationFailed(_:)`` if the credential of its holder was revoked, ``Refusal/accessDenied(_:)`` if they
    ///   may not write any more in the share by which they got it.
    public func check(_ reading: Reading, now: Milliseconds) throws(Refusal) {
        try admission.check("this upload URL", of: user, reading, now: now)
        guard let member else { return }
        let reach = member.reach(of: user, in: database, reading)
        guard reach.memberships.contains(where: { $0.permission == .readWrite }) else {
            throw .accessDenied("you may not write any more in the share that this upload URL is for")
        }
    }
}

/// `assets/upload`: returns where files for fields of records may be uploaded.
public struct OfferUploads: Sendable {
    private let context: RequestContext
    private let request: AssetsUploadRequest
    private let zone: ZoneAddress
    private let user: UserID
    public let reading: ReadSet

    /// One for each token of the request, in order.
    public struct Offer: Sendable {
        public var recordName: Name
        public var fieldName: Name
        public var ticket: UploadTicket
    }

    public init(_ request: AssetsUploadRequest, context: RequestContext) throws(Refusal) {
        guard let user = context.caller.user else { throw .authenticationRequired }
        self.context = context
        self.request = request
        self.user = user
        zone = try context.address(request.zoneID)
        _ = try zone.writableShare
        for token in request.tokens {
            if let name = token.recordName, UserID(recordName: name.text) == nil { try NameRules.checkRecord(name) }
        }
        var set = ReadSet()
        set.zones = [zone.key]
        set.memberships = context.memberships(
            for: request.tokens.compactMap { context.catalog.types[$0.recordType ?? ""] })
        reading = set
    }

    /// - Parameters:
    ///   - unreferenced: The tenant's files that no record references.
    ///   - makeName: Creates a name for a record that has none.
    public func answer(
        _ reading: Reading, unreferenced: UnreferencedFiles, makeName: () -> Name, makeNonce: () -> Int64
    ) throws(Refusal) -> [Offer] {
        guard let row = reading.zones[0] else { throw .zoneNotFound(zone.zone) }
        let proof = try zone.writableShare.flatMap { context.proof(of: row.number, of: zone.owner, by: $0) }
        try context.limits.unreferencedFiles.check(
            unreferenced, uploader: UnreferencedFileLimits.uploader(user, key: context.catalog.head.signingKey))
        var offers: [Offer] = []
        for token in request.tokens {
            try check(token, roles: reading.memberships.first ?? [])
            offers.append(
                Offer(
                    recordName: token.recordName ?? makeName(), fieldName: token.fieldName,
                    ticket: UploadTicket(
                        database: zone.database, user: user, admission: context.admission,
                        expiresAt: context.now + UploadTicket.lifetime, nonce: makeNonce(), member: proof)))
        }
        return offers
    }

    /// Refuses what no record could contain. The right to save is checked when the record is saved.
    private func check(_ token: AssetsUploadRequest.Token, roles: [Int64]) throws(Refusal) {
        guard let name = token.recordType else { return }
        try NameRules.checkType(name)
        let isOpen = context.tenant.environment == .development
        guard let type = context.catalog.types[name] else {
            if isOpen { return }
            throw .notDeployed("did not find record type: \(name.excerpt)")
        }
        if let field = type.fields[token.fieldName] {
            guard field.kind == .asset || field.kind == .assetList else {
                throw .badRequest(
                    "field '\(token.fieldName.excerpt)' of type \(name.excerpt) has type \(field.kind.tag), which holds no files; name one of type ASSET"
                )
            }
        } else if !isOpen {
            throw .notDeployed("did not find field '\(token.fieldName.excerpt)' on type \(name.excerpt)")
        }
        let rights = Visibility(context, type: type, roles: roles).rights
        guard rights.mayCreate || rights.mayWrite(createdBy: user) else {
            throw .notAllowed(to: "save records of type \(name.excerpt)", lacking: "CREATE or WRITE")
        }
    }
}

extension ZoneAddress {
    /// In a zone of somebody else, a share in which the caller may write; nil in other zones.
    ///
    /// - Throws: ``Refusal/accessDenied(_:)`` if they may only read.
    fileprivate var writableShare: ShareNumber? {
        get throws(Refusal) {
            guard let reach else { return nil }
            guard let membership = reach.memberships.first(where: { $0.permission == .readWrite }) else {
                throw .isReader
            }
            return membership.share
        }
    }
}
