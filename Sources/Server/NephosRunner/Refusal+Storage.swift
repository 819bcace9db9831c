package import NephosDomain
import NephosStorage

extension Refusal {
    /// The refusal that a client gets for a storage failure, the same everywhere; nil if the failure is only for the log.
    ///
    /// - Parameter unknown: The refusal for unknown credentials; also used for a container that does not exist.
    init?(_ error: StorageError, unknown: @autoclosure () -> Refusal) {
        switch error {
        case .noSuchTenant: self = unknown()
        case .busy:
            self = .tryAgainLater(
                "the server has too many requests waiting for its storage; nothing was saved: try again", seconds: 1)
        case .unavailable:
            self = .tryAgainLater(
                "the database cannot be reached at the moment: try again; a save may have taken place, so look before you repeat it",
                seconds: 1)
        case .full: self = .full
        case .noKey: self = .tryAgainLater("the server lacks a key at the moment: try again", seconds: 5)
        case .readOnly, .denied, .corrupt, .newer, .unfinishedCopy, .exists, .closed, .abandoned, .postponed, .failed:
            return nil
        }
    }

    package static var full: Refusal {
        .tryAgainLater(
            "the server's storage is full; nothing was saved: try again when its operator has freed space", seconds: 60)
    }

    /// The catalog changed at each attempt of a request.
    static var schemaIsChanging: Refusal {
        .tryAgainLater("the container's schema is changing; nothing was saved: try again", seconds: 1)
    }

    /// Too many strangers are waiting.
    package static var tooManyStrangers: Refusal {
        .tryAgainLater("too many requests with unknown containers or credentials are waiting: try again", seconds: 1)
    }
}
