public import CloudKitWire

/// Why a request, or one item of it, is not carried out. Nothing of it was written.
///
/// `Refusal+Wire.swift` gives each case its code on the wire.
public enum Refusal: Error, Sendable {
    /// The request is malformed, breaks a rule of the schema, or asks for what this endpoint does not do.
    case badRequest(String)
    /// A query names a type that is not there, by this name.
    case recordTypeNotFound(String)
    /// A feature has a rule about what records say, or how many there are of something, which this would break: the rule's own words.
    case constraintViolation(String)
    /// More than a documented limit allows.
    case limitExceeded(String)
    /// Credentials were refused, or there were none.
    case authenticationFailed(String)
    /// A signed-in user is needed.
    case authenticationRequired
    case accessDenied(String)
    case recordNotFound
    case zoneNotFound(Name)
    case subscriptionNotFound(Name)
    /// This is what the server has, where the caller may read it.
    case recordExists(ServerRecord?)
    /// The change tag is stale; this is what the server has, where it was read and the caller may read it.
    case conflict(ServerRecord?)
    /// Another operation of the same atomic batch failed.
    case atomicFailure
    /// A VALIDATE reference or a parent points nowhere, or would after this deletion.
    case referenceViolation(String)
    /// The change token is older than what the server remembers, or speaks of a zone that was deleted.
    case tokenExpired
    /// The change token or marker was not made by this server for this purpose.
    case tokenInvalid(String)
    /// Try again after so many seconds.
    case tryAgainLater(String, seconds: Int)
    /// Whoever asks has asked too often: try again after so many seconds.
    case throttled(String, seconds: Int)
    /// The server failed; the log knows why.
    case failed
}
