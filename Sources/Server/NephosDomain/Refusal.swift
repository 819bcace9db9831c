public import CloudKitWire

/// Why a request, or one item of it, was refused. Nothing of it was written.
///
/// `Refusal+Wire.swift` maps each case to its code in the protocol.
public enum Refusal: Error, Sendable {
    /// The request is malformed, breaks a rule of the schema, or is not supported by this endpoint.
    case badRequest(String)
    /// A query names a type that does not exist; the name.
    case recordTypeNotFound(String)
    /// Would break a feature's rule about the content or number of records; the rule's own message.
    case constraintViolation(String)
    /// More than a documented limit allows.
    case limitExceeded(String)
    /// Credentials were refused, or are missing.
    case authenticationFailed(String)
    /// A signed-in user is needed.
    case authenticationRequired
    case accessDenied(String)
    case recordNotFound
    /// A share's owner has named an address that may be the caller's, which was not verified.
    case addressNotVerified
    case zoneNotFound(Name, ZoneAdvice = .create)
    /// Something does not exist, or is hidden from the caller; the reason names it.
    case notFound(String)
    /// The server's record, if the caller may read it.
    case recordExists(ServerRecord?)
    /// A record is in a share already, or would be in two; the share record, if the caller may read it.
    case alreadyShared(String, ServerRecord? = nil)
    /// The service does not do that, whoever asks for it.
    case serverRejected(String)
    /// The database of the path is the wrong one.
    case badDatabase(String)
    /// A share would have too many participants.
    case tooManyParticipants(String)
    /// The change tag is stale; the server's record, if it was read and the caller may read it.
    case conflict(ServerRecord?)
    /// Another operation of the same atomic batch failed.
    case atomicFailure
    /// A VALIDATE reference or a parent has no target, or would have none after this deletion.
    case referenceViolation(String)
    /// The change token is older than the server's history, or belongs to a deleted zone.
    case tokenExpired
    /// The change token or marker was not issued by this server for this purpose.
    case tokenInvalid(String)
    /// Retry after this many seconds.
    case tryAgainLater(String, seconds: Int)
    /// The zone is being worked on: retry the whole request after this many seconds.
    case zoneBusy(String, seconds: Int)
    /// The caller has sent too many requests: retry after this many seconds.
    case throttled(String, seconds: Int)
    /// The server failed; the log has the reason.
    case failed

    /// What a caller can do about a zone that does not exist.
    public enum ZoneAdvice: Sendable {
        case create, useDefault
        /// The zone was named as another owner's.
        case omitOwner(Name)
        /// In the shared database, whether the zone exists or not.
        case nameOwner
        case none
    }

    /// - Parameters:
    ///   - deed: What was refused, such as `create records of type Note`.
    ///   - right: The right that is missing, as in a grant.
    static func notAllowed(to deed: String, lacking right: String) -> Refusal {
        .accessDenied(
            "you are not allowed to \(deed): none of your roles has \(right) on it; grant it in the schema, or assign a role that has it with nephos role assign"
        )
    }

    /// The refusal of a URL that leads to no file: the same for a file that is hidden.
    package static let fileNotFound = Refusal.notFound(
        "Record not found: this URL leads to no file, or no longer; fetch the record again for a new downloadURL")

    /// - Parameter lack: What production lacks, such as `did not find record type: Note`.
    static func notDeployed(_ lack: String) -> Refusal {
        .badRequest("\(lack); production accepts only what was deployed from development")
    }
}
