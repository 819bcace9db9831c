package import NephosDomain
package import NephosStorage

/// Something that clients may ask for: a path, the methods it takes, how it finds out who asks, and what answers
/// (docs/decisions/0026).
package struct Endpoint: Sendable {
    /// Where its paths begin, and what they name.
    package enum Home: Sendable, Equatable {
        /// `/database/1/CONTAINER/ENVIRONMENT/DATABASE/NAME`. Without a database, as clients in the field send some, it is this one.
        case database(DatabaseScope = .private)
        /// `/device/1/CONTAINER/ENVIRONMENT/NAME`, of no database. Some are below `/database` too, as clients in the field send
        /// them.
        case device(isBelowDatabase: Bool)
        /// `/nephos/1/CONTAINER/ENVIRONMENT/NAME`: of the container, and none of CloudKit's.
        case container
        /// `/asset/1/CONTAINER/ENVIRONMENT/` and a name that may be anything (``FilePath``).
        case files
    }

    /// How it finds out who asks, and what answers then.
    package enum Answering: Sendable {
        /// Whoever an API token, a session or a key lets in; only somebody in particular where a user is needed.
        case callers(needsUser: Bool, @Sendable (AdmittedCall) throws -> Work)
        /// By a credential of its own.
        case own(OwnAdmission, @Sendable (Call, any TenantStore) throws -> Work)
        /// Anybody, whether the container is there or not: nothing of it is looked at.
        case anybody(@Sendable (Call) -> RawResponse)
    }

    /// The path after what ``Home`` names. A segment in braces, such as `{key}`, stands for any, which ``Call/values`` has.
    package let name: String
    package let home: Home
    package let methods: [RequestMethod]
    package let answering: Answering
    /// What a request was about, for metrics and logs.
    package let label: String
    /// Says in place of the usual that a method is none of its.
    package var methodReason: (allow: String, reason: String)?
    /// Bodies that it takes piece by piece.
    package var pieces: PiecewiseBody?
    /// Tokens that let in beside what all callers show.
    package var bearers: BearerTokens?
    /// Whether it heeds what is proved along with a request (`X-Nephos-Facts`): all of CloudKit's do that are about a database.
    package var takesFacts: Bool

    /// An endpoint for callers.
    ///
    /// - Parameters:
    ///   - needsUser: Only somebody in particular may ask, whatever the request says.
    package init(
        _ name: String, at home: Home = .database(), methods: [RequestMethod] = [.post], needsUser: Bool = false,
        answer: @escaping @Sendable (AdmittedCall) throws -> Work
    ) {
        self.init(name, home, methods, .callers(needsUser: needsUser, answer))
    }

    /// An endpoint that finds out itself who asks.
    package init(
        _ name: String, at home: Home, methods: [RequestMethod], label: String? = nil,
        admitting admission: OwnAdmission,
        answer: @escaping @Sendable (Call, any TenantStore) throws -> Work
    ) {
        self.init(name, home, methods, .own(admission, answer), label: label)
    }

    /// An endpoint that answers the same to all: a page without data.
    package init(
        forAnybody name: String, at home: Home, methods: [RequestMethod] = [.get, .head],
        answer: @escaping @Sendable (Call) -> RawResponse
    ) {
        self.init(name, home, methods, .anybody(answer))
    }

    private init(
        _ name: String, _ home: Home, _ methods: [RequestMethod], _ answering: Answering, label: String? = nil
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

    /// How it finds out who asks, where that is of its own.
    var ownAdmission: OwnAdmission? {
        if case .own(let admission, _) = answering { admission } else { nil }
    }

    /// Whether who asks is found out by what all callers show.
    var isOfCallers: Bool {
        if case .callers = answering { true } else { false }
    }
}

/// A credential that only one endpoint knows: a ticket in a URL, the token of a device.
package struct OwnAdmission: Sendable {
    /// Whether what a call shows was made by this container, by its signing key. Asks nobody.
    package var isMade: @Sendable (Call, _ signingKey: [UInt8]) -> Bool
    /// What is answered where it was not, or where the container is not there.
    package var unknown: @Sendable (Call) -> Refusal
    /// What a failure of its own means; nil for those that mean everywhere the same.
    package var refusal: @Sendable (any Error) -> Refusal? = { _ in nil }
    /// Where a refusal has another status than everywhere.
    package var status: @Sendable (Refusal) -> Int? = { _ in nil }
    /// What is answered to people in the place of a refusal; nil for what all clients get.
    package var page: @Sendable (Refusal, Call) -> RawResponse? = { _, _ in nil }
    /// Its answer is found on a thread that may wait, however little is read.
    package var alwaysWaits = false

    package init(
        isMade: @escaping @Sendable (Call, [UInt8]) -> Bool, unknown: @escaping @Sendable (Call) -> Refusal
    ) {
        self.isMade = isMade
        self.unknown = unknown
    }
}

/// A body that may be larger than memory.
package struct PiecewiseBody: Sendable {
    package var bytesMax: Int64
    /// Whether a request brings one.
    package var isBrought: @Sendable (Call) -> Bool
    /// Takes it, and has the request answered. Called where it must not wait.
    package var take: @Sendable (BodyReader, Call, Taking) -> Void

    /// What whoever takes a body must tell or ask.
    package struct Taking: Sendable {
        /// To be called once it is known whether the credential is good.
        package let known: @Sendable () -> Void
        /// What becomes of a failure.
        package let failed: @Sendable (any Error) -> Work
    }

    package init(
        bytesMax: Int64, isBrought: @escaping @Sendable (Call) -> Bool,
        take: @escaping @Sendable (BodyReader, Call, Taking) -> Void
    ) {
        self.bytesMax = bytesMax
        self.isBrought = isBrought
        self.take = take
    }
}
