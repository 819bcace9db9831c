package import NephosTransport

/// Why something failed that a kit was asked for.
public struct KitFault: Error, Sendable, Hashable, CustomStringConvertible {
    public enum Kind: Sendable, Hashable {
        /// No answer came, or not in time: there is no network, or nobody answers.
        case unreachable
        /// The server says no: a credential, a question that it does not take, or something of its own.
        case refused
        /// Who asks may not do that: publishing needs somebody who may write the record, such as by a role.
        case notAllowed
        /// There is no such record or file, or who asks may not see it.
        case notFound
        /// What came cannot be understood.
        case unreadable
        /// It has more bytes than it may.
        case tooLarge
        /// It cannot be kept on this device.
        case notStored
        case cancelled
    }

    public var kind: Kind
    /// For people: what happened, and what to do about it where that is known. It holds no secret.
    public var message: String
    /// How long the server wants to be left alone.
    public var retryAfter: Duration?
    /// Whether the same would be refused again.
    package var isFinal = false

    public init(_ kind: Kind, _ message: String, retryAfter: Duration? = nil) {
        (self.kind, self.message, self.retryAfter) = (kind, message, retryAfter)
    }

    public var description: String { message }
}

extension KitFault {
    /// That no answer came.
    package init(_ fault: TransportFault) {
        switch fault.kind {
        case .cancelled: self.init(.cancelled, fault.message)
        case .unusable: self.init(.unreadable, fault.message)
        case .local: self.init(.notStored, fault.message)
        case .noNetwork, .unreachable, .lost: self.init(.unreachable, fault.message)
        }
    }

    /// That the server said no.
    package init(_ answer: TransportAnswer) {
        let refusal = ServerRefusal(answer)
        let kind: Kind =
            switch (refusal.code, refusal.status) {
            case ("ACCESS_DENIED", _), ("AUTHENTICATION_REQUIRED", _): .notAllowed
            case ("NOT_FOUND", _), (_, 404): .notFound
            default: .refused
            }
        self.init(kind, refusal.message, retryAfter: refusal.retryAfter)
        // Credentials may be others by then, and a server that is busy may not be.
        isFinal = [400, 404, 413].contains(refusal.status)
    }
}
