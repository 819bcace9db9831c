public import Foundation

/// The state of an app's switches: the origin of their values and the last failure.
public struct SwitchesState: Sendable, Hashable {
    /// The origin of values.
    public enum Origin: Sendable, Hashable {
        /// No values are known: defaults apply.
        case defaults
        /// Saved in a file by an earlier launch; they were received from the provider at this time.
        case kept(Date)
        /// Received from the provider since the app was launched; the provider last confirmed them at this time.
        case fetched(Date)
    }

    /// A refresh that failed.
    public struct Failure: Sendable, Hashable {
        public var fault: FlagFault
        public var date: Date
        /// The number of consecutive failures, including this one.
        public var count: Int
    }

    public var origin = Origin.defaults
    /// The last refresh, if it failed; nil after the next success. Earlier values stay in use.
    public var failure: Failure?
    /// When the next refresh is due; nil if the switches are not started.
    public var nextRefresh: Date?
    /// Whether an event stream of changes is open.
    public var isStreaming = false
    /// Why the stream last ended, if it ended with an error.
    public var streamFault: FlagFault?
    /// Why values cannot be read from or written to their file.
    public var fileProblem: String?
}

/// The result of a refresh.
public enum RefreshOutcome: Sendable, Hashable {
    /// Values have changed.
    case changed
    case unchanged
    /// Earlier values stay in use.
    case failed(FlagFault)
}
