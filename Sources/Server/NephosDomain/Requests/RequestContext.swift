public import Audience
import CloudKitWire
public import NephosStorage

/// Which of a container's databases a path names.
public enum DatabaseScope: String, Sendable, CaseIterable {
    case `public`, `private`, shared

    /// As Apple's reasons name it.
    package var label: String { "\(rawValue)db" }
}

/// Limits that an operator may set (docs/protocol.md, "Limits").
public struct DomainLimits: Sendable {
    /// Operations and look-ups in a request; records in a page.
    public var itemsMax = 200
    /// A record's name and fields, in bytes.
    public var recordBytesMax = FieldsInput.bytesMax
    public var fieldsMax = 512
    /// References that one request sends, and that the records which it saves held before.
    public var referencesMax = 100_000
    /// New files that one request puts into records.
    public var assetsMax = 1_000
    /// Places of one record that hold files.
    public var assetPlacesMax = 500
    /// Bytes of one file.
    public var assetBytesMax: Int64 = 50 << 20
    /// Bytes of files that no record holds.
    public var unheldFiles = UnheldLimits()
    /// In a development schema.
    public var typesMax = 500
    public var schemaFieldsMax = 2_000
    /// Bytes of records in a page of a feed, a query or a look-up.
    public var pageBytesMax = 8 << 20
    /// Bytes of records in the answer of one modify request.
    public var modifyAnswerBytesMax = 16 << 20
    /// Zones of a person, the default zone left out.
    public var zonesMax = 1_000
    /// Subscriptions of a person in one database.
    public var subscriptionsMax = 200
    /// Devices of a person that ask, and as many phones. One more takes the place of the one of its kind that was not heard
    /// of for longest: pages that are loaded again and again must not push out a phone.
    public var devicesMax = 50
    /// DELETE_SELF references to one record.
    public var deleteSelfReferencesMax = 750
    /// Records that go with one deletion.
    public var cascadeMax = 10_000
    /// Of more who name a public record as parent or with VALIDATE, those that did first are asked whether they keep it.
    public var holdersMax = 1_000
    /// Steps that a decision about references takes (docs/protocol.md, R8).
    public var decisionStepsMax = 1_000_000

    public init() {}
}

/// What every request of a tenant brings along: judged by one version of the catalog, at one time.
///
/// The engine may show a decision another version of the catalog than this one; whoever runs the request then starts
/// it again with that version, before anything of it is decided. A class, since every step of a request holds it.
public final class RequestContext: Sendable {
    public let catalog: Catalog
    public let caller: Caller
    /// What let the caller in.
    public let admission: Admission
    public let scope: DatabaseScope
    /// The names of what is proved of the caller with this very request (``ProvedFacts``).
    package let facts: [String]
    /// What it is, for audiences; empty where it is known by name alone.
    package let factValues: [String: Scalar]
    /// Server time of the request.
    public let now: Milliseconds
    /// The `clientId` the request named; empty without one.
    public let client: String
    /// How histories name whoever runs the server (``Caller/administrator``).
    let operatorName: String
    public let limits: DomainLimits

    public init(
        catalog: Catalog, caller: Caller, admission: Admission = Admission(), scope: DatabaseScope, now: Milliseconds,
        client: String = "", operatorName: String = "operator", limits: DomainLimits = DomainLimits(),
        facts: [String] = [], factValues: [String: Scalar] = [:]
    ) {
        (self.facts, self.factValues) = (facts, factValues)
        self.catalog = catalog
        self.caller = caller
        self.admission = admission
        self.scope = scope
        self.now = now
        self.client = client
        self.operatorName = operatorName
        self.limits = limits
    }

    /// The same request about another of the container's databases.
    package func scoped(to scope: DatabaseScope) -> RequestContext {
        RequestContext(
            catalog: catalog, caller: caller, admission: admission, scope: scope, now: now, client: client,
            operatorName: operatorName, limits: limits, facts: facts, factValues: factValues)
    }

    var tenant: Tenant { catalog.head.tenant }

    /// Who asks, as histories name them: the name of a user record, a key by its id, an operator.
    var changer: String {
        switch caller {
        case .anonymous: ""
        case .person(let session): session.user.recordName
        case .serverKey(let user):
            catalog.keys.values.first { $0.user == user }.map { "key \($0.id)" } ?? user.recordName
        case .administrator: operatorName
        }
    }

    package var signingKey: [UInt8] { catalog.head.signingKey }

    /// The database that the path names, for the caller, where a request is about the whole of it.
    ///
    /// - Throws: ``Refusal/authenticationRequired`` where a person is needed;
    ///   ``Refusal/authenticationFailed(_:)`` for a server-to-server key outside the public database.
    package func home() throws(Refusal) -> DatabaseNumber {
        switch (scope, caller) {
        case (.public, _): return 1
        case (_, .person(let session)): return session.privateDatabase
        case (_, .anonymous), (_, .administrator): throw .authenticationRequired
        case (_, .serverKey):
            throw .authenticationFailed("a server-to-server key reaches the public database only")
        }
    }

    /// Refuses a caller whom the named database is closed to, or who would need to be somebody in order to write.
    public func requireCaller(writing: Bool) throws(Refusal) {
        _ = try home()
        if writing, caller.user == nil { throw .authenticationRequired }
    }

    /// Refuses an endpoint that the named database does not have.
    package func require(_ scopes: DatabaseScope...) throws(Refusal) {
        guard scopes.contains(scope) else {
            throw .badRequest("endpoint not applicable in the database type '\(scope.label)'")
        }
    }
}

extension RequestContext {
    /// The end of a zone's feed as it stands; nil where there is no feed.
    func feedEnd(of zone: ZoneRow) -> ZoneToken? {
        guard scope == .private, !zone.isDefault else { return nil }
        return ZoneToken(
            database: zone.database, zone: zone.number, sequence: zone.changedSequence, base: zone.changedSequence)
    }

    /// ``feedEnd(of:)`` as clients get it.
    func syncToken(of zone: ZoneRow) -> String? { feedEnd(of: zone).map(sealed) }

    /// A place in a feed as clients get it.
    public func sealed(_ token: ZoneToken) -> String { token.sealed(key: signingKey) }
}
