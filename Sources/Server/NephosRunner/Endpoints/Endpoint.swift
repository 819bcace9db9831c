package import CloudKitWire
package import NephosDomain
package import NephosStorage

/// An endpoint for clients: a path, its methods, how it authenticates the caller, and its handler (docs/decisions/0026).
package struct Endpoint: Sendable {
    /// Where its paths begin, and what they contain.
    package enum PathRoot: Sendable, Equatable {
        /// `/database/1/CONTAINER/ENVIRONMENT/DATABASE/NAME`. Some clients in the field leave out the database; this one is used
        /// then.
        case database(DatabaseScope = .private)
        /// `/device/1/CONTAINER/ENVIRONMENT/NAME`, without a database. Some are also available below `/database`, because clients
        /// in the field use that.
        case device(isBelowDatabase: Bool)
        /// `/nephos/1/CONTAINER/ENVIRONMENT/NAME`: of the container, and not part of CloudKit.
        case container
        /// `/asset/1/CONTAINER/ENVIRONMENT/` and a name that may be anything (``FilePath``).
        case files
    }

    /// How it authenticates the caller, and the handler.
    package enum Handler: Sendable {
        /// Callers with an API token, a session or a key; if `needsUser`, only those with a user.
        case callers(needsUser: Bool, @Sendable (AdmittedCall) throws -> Work)
        /// Callers with the endpoint's own credential.
        case own(EndpointCredential, @Sendable (Call, any TenantStore) throws -> Work)
        /// Anybody, whether the container exists or not: nothing of it is read.
        case anonymous(@Sendable (Call) -> RawResponse)
    }

    /// The path after the part that ``PathRoot`` describes. A segment in braces, such as `{key}`, matches any segment, also one with
    /// encoded slashes; the matches are in ``EndpointPath/values``.
    package let name: String
    package let home: PathRoot
    package let methods: [RequestMethod]
    package let answering: Handler
    /// The label for metrics and logs.
    package let label: String
    /// Replaces the usual text for a method that is not allowed.
    package var methodReason: (allow: String, reason: String)?
    /// Bodies that it receives piece by piece.
    package var pieces: StreamedBody?
    /// Tokens that are accepted in addition to the usual credentials.
    package var bearers: BearerTokens?
    /// What its errors contain in addition; also those at all other paths with the same first segment (``name``). nil for nothing.
    package var errorMembers: ErrorMembers?
    /// Whether it uses the facts that are proved with a request (`X-Nephos-Facts`): by default those of databases do.
    package var takesFacts: Bool

    /// An endpoint with the usual authentication.
    ///
    /// - Parameters:
    ///   - needsUser: A caller without a user is refused, whatever the request contains.
    package init(
        _ name: String, at home: PathRoot = .database(), methods: [RequestMethod] = [.post], needsUser: Bool = false,
        answer: @escaping @Sendable (AdmittedCall) throws -> Work
    ) {
        self.init(name, home, methods, .callers(needsUser: needsUser, answer))
    }

    /// An endpoint with its own authentication.
    package init(
        _ name: String, at home: PathRoot, methods: [RequestMethod], label: String? = nil,
        admitting admission: EndpointCredential,
        answer: @escaping @Sendable (Call, any TenantStore) throws -> Work
    ) {
        self.init(name, home, methods, .own(admission, answer), label: label)
    }

    /// An endpoint that gives everybody the same answer: a page without data.
    package init(
        forAnyone name: String, at home: PathRoot, methods: [RequestMethod] = [.get, .head],
        answer: @escaping @Sendable (Call) -> RawResponse
    ) {
        self.init(name, home, methods, .anonymous(answer))
    }

    private init(
        _ name: String, _ home: PathRoot, _ methods: [RequestMethod], _ answering: Handler, label: String? = nil
    ) {
        self.name = name
        self.home = home
        self.methods = methods
        self.answering = answering
        self.label = label ?? name
        takesFacts = if case .database = home { true } else { false }
    }

    func accepts(_ method: RequestMethod) -> Bool { methods.contains(method) }

    /// For the header `Allow`.
    var allow: String {
        methodReason?.allow ?? (methods.map(\.rawValue) + ["OPTIONS"]).joined(separator: ", ")
    }

    /// Its own authentication, if it has one.
    var ownAdmission: EndpointCredential? {
        if case .own(let admission, _) = answering { admission } else { nil }
    }

    /// Whether callers are authenticated by the usual credentials.
    var isOfCallers: Bool {
        if case .callers = answering { true } else { false }
    }
}

/// Authentication by a credential of one endpoint: a ticket in a URL, the token of a device.
package struct EndpointCredential: Sendable {
    /// Whether the call's credential was issued by this container, checked with its signing key. Reads nothing from the store.
    package var isIssuedHere: @Sendable (Call, _ signingKey: [UInt8]) -> Bool
    /// The refusal if it was not, or if the container does not exist.
    package var unknown: @Sendable (Call) -> Refusal
    /// The refusal for an error of its own; nil for errors that are handled as everywhere.
    package var refusal: @Sendable (any Error) -> Refusal? = { _ in nil }
    /// A status that differs from the usual one of a refusal.
    package var status: @Sendable (Refusal) -> Int? = { _ in nil }
    /// A page for people in place of a refusal; nil for the usual response.
    package var page: @Sendable (Refusal, Call) -> RawResponse? = { _, _ in nil }
    /// Its handler always runs on a thread that may block, however little is read.
    package var alwaysWaits = false

    package init(
        isIssuedHere: @escaping @Sendable (Call, [UInt8]) -> Bool, unknown: @escaping @Sendable (Call) -> Refusal
    ) {
        self.isIssuedHere = isIssuedHere
        self.unknown = unknown
    }
}

/// What errors contain in addition to the members of all errors, for clients of another protocol.
package struct ErrorMembers: Sendable {
    /// Writes them, as the first members.
    ///
    /// - Parameters:
    ///   - reason: For people.
    ///   - value: What matches a segment in braces of ``Endpoint/name``; nil if there is none, or the path is not that of an endpoint.
    package var write: @Sendable (_ json: inout JSONWriter, _ reason: String, _ value: Substring?) -> Void

    package init(write: @escaping @Sendable (_ json: inout JSONWriter, _ reason: String, _ value: Substring?) -> Void) {
        self.write = write
    }
}

/// A body that may be larger than memory.
package struct StreamedBody: Sendable {
    package var bytesMax: Int64
    /// Whether a request has such a body.
    package var isUsed: @Sendable (Call) -> Bool
    /// Reads the body, and has the request answered. Called where blocking is not allowed.
    package var take: @Sendable (BodyReader, Call, Callbacks) -> Void

    /// What a reader of a body must report or ask.
    package struct Callbacks: Sendable {
        /// Called once it is known whether the credential is valid.
        package let known: @Sendable () -> Void
        /// Returns the result of a failure.
        package let failed: @Sendable (any Error) -> Work
    }

    package init(
        bytesMax: Int64, isUsed: @escaping @Sendable (Call) -> Bool,
        take: @escaping @Sendable (BodyReader, Call, Callbacks) -> Void
    ) {
        self.bytesMax = bytesMax
        self.isUsed = isUsed
        self.take = take
    }
}
