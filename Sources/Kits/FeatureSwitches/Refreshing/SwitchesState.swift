public import Foundation

/// How it stands with an app's switches: where their values are from, and what went wrong last.
public struct SwitchesState: Sendable, Hashable {
    /// Where values are from.
    public enum Origin: Sendable, Hashable {
        /// Nothing is known: defaults hold.
        case defaults
        /// A file has kept them since this moment, when they came from the provider.
        case kept(Date)
        /// They came from the provider since the app has started; it has said last at this moment that they hold.
        case fetched(Date)
    }

    /// A refresh that failed.
    public struct Failure: Sendable, Hashable {
        public var fault: FlagFault
        public var date: Date
        /// How many have failed in a row, with this one.
        public var count: Int
    }

    public var origin = Origin.defaults
    /// The last refresh, where it failed; nil once one goes well again. The values from before it hold.
    public var failure: Failure?
    /// When the next refresh is due; nil where the switches are not started.
    public var nextRefresh: Date?
    /// Whether a stream tells of changes now.
    public var isStreaming = false
    /// Why the stream ended last, where it did with an error.
    public var streamFault: FlagFault?
    /// Why values cannot be read from their file, or not be written there.
    public var fileProblem: String?
}

/// How a refresh ended.
public enum RefreshOutcome: Sendable, Hashable {
    /// There are other values now.
    case changed
    case unchanged
    /// The values from before hold.
    case failed(FlagFault)
}
