package import NephosRunner
package import NephosStorage

/// Options of deliveries (docs/protocol.md, "Limits").
package struct DeliveryOptions: Sendable {
    /// How long a delivery waits for others to be merged with it; 0 sends immediately, and merges only what is still waiting.
    package var window: Milliseconds = 0
    /// The delay after a save before a search for events of which no process was notified: those of a process that died, or of a
    /// command on this store.
    package var pollEvery: Duration = .seconds(10)
    /// How long a poll waits before an empty response.
    package var pollWait: Duration = .seconds(50)
    /// A courier device is removed after this time without a poll.
    package var deviceHours = 24
    /// How many comparisons with the conditions of subscriptions are made before other work gets a turn.
    package var comparisonsMax = 1_000_000
    /// How long entries of the push log are kept.
    package var logDays = 7
    /// Whether devices are notified at all.
    package var notifiesDevices = true

    package init() {}

    /// Options from a server's settings; unset and empty variables change nothing.
    ///
    /// - Throws: ``EnvironmentProblem``, which names the variable, its value, and the valid values.
    package init(_ settings: FeatureSettings) throws(EnvironmentProblem) {
        let variables = settings.environment
        if let span = try variables.number("NEPHOS_PUSH_WINDOW_MILLISECONDS", 0...3_600_000) { window = Int64(span) }
        if let poll = try variables.number("NEPHOS_PUSH_POLL_SECONDS", 1...3_600) { pollEvery = .seconds(poll) }
        if let wait = try variables.number("NEPHOS_COURIER_SECONDS", 1...3_600) { pollWait = .seconds(wait) }
        try variables.set(&deviceHours, "NEPHOS_DEVICE_HOURS", 2...87_600)
        try variables.set(&logDays, "NEPHOS_PUSH_LOG_DAYS", 1...36_500)
        notifiesDevices = !settings.isQuiet
    }
}
