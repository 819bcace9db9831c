/// Why the files of assets could not be written or read.
package enum AssetError: Error, Sendable, Equatable {
    /// The disk is full, a quota is used up, or the file would be longer than the system allows.
    case full
    /// There is no such file; or the draft was removed as abandoned before it was published.
    case missing
    /// Anything else: what was tried, with which path, and what the system said. For the log, never for a client.
    case failed(String)
}
