/// Why the files of assets could not be written or read.
package enum AssetError: Error, Sendable, Equatable {
    /// The disk is full, a quota is used up, or the file would be longer than the system allows.
    case full
    /// The file does not exist; or the draft was removed as abandoned before it was published.
    case missing
    /// Any other failure: the operation, the path, and the system's message. For the log, never for a client.
    case failed(String)
}

extension AssetError: CustomStringConvertible {
    /// For the operator.
    package var description: String {
        switch self {
        case .full: "The disk is full. Free some space and try again; nothing was lost."
        case .missing:
            "A stored file is missing. List all that are missing with nephos check, and restore them from a backup."
        case .failed(let what): "\(what)."
        }
    }
}
