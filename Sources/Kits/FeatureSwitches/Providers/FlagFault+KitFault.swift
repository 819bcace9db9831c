package import KitSupport

extension FlagFault {
    /// The same error as a fault of flags.
    package init(_ fault: KitFault) {
        let kind: Kind =
            switch fault.kind {
            case .cancelled: .cancelled
            case .unreadable, .tooLarge: .unreadable
            case .unreachable, .notStored: .unreachable
            case .refused, .notAllowed, .notFound: .refused
            }
        self.init(kind, fault.message, retryAfter: fault.retryAfter)
    }
}
