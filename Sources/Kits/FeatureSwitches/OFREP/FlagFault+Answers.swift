import KitSupport
import NephosTransport

extension FlagFault {
    /// That no answer came.
    init(_ fault: TransportFault) {
        switch fault.kind {
        case .cancelled: self.init(.cancelled, fault.message)
        case .unusable: self.init(.unreadable, fault.message)
        case .noNetwork, .unreachable, .lost, .local: self.init(.unreachable, fault.message)
        }
    }

    /// That the server said no.
    init(_ answer: TransportAnswer) {
        let refusal = ServerRefusal(answer)
        self.init(.refused, refusal.message, retryAfter: refusal.retryAfter)
    }
}
