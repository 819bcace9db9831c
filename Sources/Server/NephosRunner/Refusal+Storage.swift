package import NephosDomain
import NephosStorage

extension Refusal {
    /// What a client is told of a failure of the storage, the same wherever it is met; nil for what is for the log alone.
    ///
    /// - Parameter unknown: What somebody is told whose credentials are not known. So is whoever names a container that is
    ///   not there.
    init?(_ error: StorageError, unknown: @autoclosure () -> Refusal) {
        switch error {
        case .noSuchTenant: self = unknown()
        case .busy: self = .tryAgainLater("the server has too many requests waiting for its storage", seconds: 1)
        case .unavailable: self = .tryAgainLater("the database cannot be reached at the moment", seconds: 1)
        case .full: self = .full
        case .noKey: self = .tryAgainLater("the server lacks a key at the moment", seconds: 5)
        case .readOnly, .denied, .corrupt, .newer, .unfinishedCopy, .exists, .closed, .abandoned, .postponed, .failed:
            return nil
        }
    }

    package static var full: Refusal { .tryAgainLater("the server's storage is full; nothing was saved", seconds: 60) }

    /// The catalog moved under a request each time it was tried.
    static var schemaIsChanging: Refusal { .tryAgainLater("the container's schema is changing", seconds: 1) }

    /// Strangers stand in line for too long.
    package static var tooManyStrangers: Refusal {
        .tryAgainLater("too many requests wait whose container or credentials are not known yet", seconds: 1)
    }
}
