package import NephosTransport

/// Why an operation of a kit failed.
public struct KitFault: Error, Sendable, Hashable, CustomStringConvertible {
    public enum Kind: Sendable, Hashable {
        /// No response arrived in time: there is no network, or the server does not respond.
        case unreachable
        /// The server refused the request: because of a credential, an invalid request, or another reason of its own.
        case refused
        /// The caller may not do that: publishing requires write access to the record, for example through a role.
        case notAllowed
        /// There is no such record or file, or the caller may not see it.
        case notFound
        /// The response cannot be parsed.
        case unreadable
        /// The content exceeds a size limit.
        case tooLarge
        /// The content cannot be stored on this device.
        case notStored
        case cancelled
    }

    public var kind: Kind
    /// A message for people: what happened, and what to do about it if that is known. Contains no secret.
    public var message: String
    /// How long to wait before the next request, as the server requires.
    public var retryAfter: Duration?
    /// Whether the same request would be refused again.
    package var isFinal = false

    public init(_ kind: Kind, _ message: String, retryAfter: Duration? = nil) {
        (self.kind, self.message, self.retryAfter) = (kind, message, retryAfter)
    }

    public var description: String { message }
}

extension KitFault {
    /// For a request without a response.
    package init(_ fault: TransportFault) {
        switch fault.kind {
        case .cancelled: self.init(.cancelled, fault.message)
        case .unusable: self.init(.unreadable, fault.message)
        case .local: self.init(.notStored, fault.message)
        case .noNetwork, .unreachable, .lost: self.init(.unreachable, fault.message)
        }
    }

    /// For a request that the server refused.
    package init(_ answer: TransportAnswer) {
        let refusal = ServerRefusal(answer)
        let kind: Kind =
            switch (refusal.code, refusal.status) {
            case ("ACCESS_DENIED", _), ("AUTHENTICATION_REQUIRED", _): .notAllowed
            case ("NOT_FOUND", _), (_, 404): .notFound
            default: .refused
            }
        self.init(kind, refusal.message, retryAfter: refusal.retryAfter)
        // Other statuses may be temporary: credentials can change, and a busy server recovers.
        isFinal = [400, 404, 413].contains(refusal.status)
    }
}
