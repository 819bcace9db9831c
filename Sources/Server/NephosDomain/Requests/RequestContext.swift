public import Audience
import CloudKitWire
public import NephosStorage

/// The database of a container that a path names.
public enum DatabaseScope: String, Sendable, CaseIterable {
    case `public`, `private`, shared

    /// As it appears in Apple's reasons.
    package var label: String { "\(rawValue)db" }
}

/// Limits that an operator may set (docs/protocol.md, "Limits").
public struct DomainLimits: Sendable {
    /// Operations and look-ups in a request; records in a page.
    public var itemsMax = 200
    /// A record's name and fields, in bytes.
    public var recordBytesMax = FieldsInput.bytesMax
    public var fieldsMax = 512
    /// References that one request sends, and that the records it saves contained before.
    public var referencesMax = 100_000
    /// New files that one request adds to records.
    public var assetsMax = 1_000
    /// Places in one record that reference files.
    public var assetPlacesMax = 500
    /// The maximum size of one file, in bytes.
    public var assetBytesMax: Int64 = 50 << 20
    /// Limits for files that no record references.
    public var unreferencedFiles = UnreferencedFileLimits()
    /// In a development schema.
    public var typesMax = 500
    public var schemaFieldsMax = 2_000
    /// Bytes of records in a page of a feed, a query or a look-up.
    public var pageBytesMax = 8 << 20
    /// Bytes of records in the answer of one modify request.
    public var modifyAnswerBytesMax = 16 << 20
    /// Zones of a person, not counting the default zone.
    public var zonesMax = 1_000
    /// Subscriptions of a person in one database.
    public var subscriptionsMax = 200
    /// Long-polling devices of a person, and as many phones. Beyond that, a new one replaces the one of its kind that has been
    /// silent longest: pages that are reloaded again and again must not evict a phone.
    public var devicesMax = 50
    /// DELETE_SELF references to one record.
    public var deleteSelfReferencesMax = 750
    /// Records that are deleted along with one deletion.
    public var cascadeMax = 10_000
    /// Records that enter or leave a share with one above them: while as many are written, others wait for less than 200 ms
    /// (docs/performance.md).
    public var sharedMovesMax = 4_000
    /// Records below one that is shared which become part of the share in the request. If there are more, all do so later.
    public var sharedAtOnceMax = 1_000
    /// Shares of one zone.
    public var sharesMax = 1_000
    /// People in a share, its owner included.
    public var participantsMax = 100
    /// If more records reference a public record as parent or with VALIDATE, only the first ones are checked for whether they
    /// protect it.
    public var holdersMax = 1_000
    /// Steps that a decision about references may take (docs/protocol.md, R8).
    public var decisionStepsMax = 1_000_000

    public init() {}
}

/// The common input of every request of a tenant: judged by one version of the catalog, at one time.
///
/// The engine may show a decision another version of the catalog than this one; the runner of the request then starts it again
/// with that version, before anything of it is decided. A class, because every step of a request refers to it.
public final class RequestContext: Sendable {
    public let catalog: Catalog
    public let caller: Caller
    /// The credentials by which the caller was admitted.
    public let admission: Admission
    public let scope: DatabaseScope
    /// The names of the facts that this request proves about the caller (``ProvedFacts``).
    package let facts: [String]
    /// Their values, for audiences; empty if only names are known.
    package let factValues: [String: Scalar]
    /// Server time of the request.
    public let now: Milliseconds
    /// The `clientId` in the request; empty if there is none.
    public let client: String
    /// The operator's name in histories (``Caller/administrator``).
    let operatorName: String
    public let limits: DomainLimits
    /// The zones of others that the request names; nil outside of the shared database.
    public let foreign: ForeignZones?

    public init(
        catalog: Catalog, caller: Caller, admission: Admission = Admission(), scope: DatabaseScope, now: Milliseconds,
        client: String = "", operatorName: String = "operator", limits: DomainLimits = DomainLimits(),
        facts: [String] = [], factValues: [String: Scalar] = [:], foreign: ForeignZones? = nil
    ) {
        (self.facts, self.factValues) = (facts, factValues)
        self.foreign = foreign
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

    /// The caller's name in histories: the name of a user record, the id of a key, or an operator.
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

    /// The database that the path names, for the caller, when a request concerns all of it.
    ///
    /// - Throws: ``Refusal/authenticationRequired`` if a person is needed; ``Refusal/authenticationFailed(_:)`` for a
    ///   server-to-server key outside the public database.
    package func home() throws(Refusal) -> DatabaseNumber {
        switch (scope, caller) {
        case (.public, _): return 1
        case (_, .person(let session)): return session.privateDatabase
        case (_, .anonymous), (_, .administrator): throw .authenticationRequired
        case (_, .serverKey):
            throw .authenticationFailed(
                "a server-to-server key can use the public database only: name public in the path, or send a person's ckWebAuthToken instead"
            )
        }
    }

    /// Refuses a caller that may not use the named database, or that would need a user in order to write.
    public func requireCaller(writing: Bool) throws(Refusal) {
        _ = try home()
        if writing, caller.user == nil { throw .authenticationRequired }
    }

    /// Refuses an endpoint that the named database does not support.
    package func require(_ scopes: DatabaseScope...) throws(Refusal) {
        guard scopes.contains(scope) else {
            // The shared database is left out: whoever uses the wrong one most likely wants a database of their own.
            let usable = scopes.filter { $0 != .shared }.map(\.rawValue).joined(separator: " or ")
            throw .badRequest(
                "endpoint not applicable in the database type '\(scope.label)': use \(usable) in the path")
        }
    }
}

extension RequestContext {
    /// The current end of the feed of a zone of the caller's own database, as it is sent to clients; nil if it has none.
    func syncToken(of zone: ZoneRow) -> String? {
        address(zone.name, in: zone.database).feedEnd(of: zone).map(sealed)
    }

    /// A position in a feed as it is sent to clients.
    public func sealed(_ token: ZoneToken) -> String { token.sealed(key: signingKey) }
}
