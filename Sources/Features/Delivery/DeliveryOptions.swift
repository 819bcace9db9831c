package import NephosRunner
package import NephosStorage

/// What an operator may set of deliveries (docs/protocol.md, "Limits").
package struct DeliveryOptions: Sendable {
    /// How long a delivery waits for others to be merged with it; 0 sends at once, and merges what waits.
    package var window: Milliseconds = 0
    /// How soon after a save what nobody was woken for is looked for: of a process that died, of a command beside this one.
    package var pollEvery: Duration = .seconds(10)
    /// How long a poll waits before it is answered with nothing.
    package var pollWait: Duration = .seconds(50)
    /// A courier device that was silent for so long is forgotten.
    package var deviceHours = 24
    /// How many comparisons with the conditions of subscriptions are made before others have their turn.
    package var comparisonsMax = 1_000_000
    /// Entries of the push log are kept for so long.
    package var logDays = 7
    /// Whether anybody is told of anything.
    package var tellsDevices = true

    package init() {}

    /// As a server's settings say; unset and empty variables change nothing.
    ///
    /// - Throws: ``EnvironmentProblem``, which names the variable, its value, and what it may be.
    package init(_ settings: FeatureSettings) throws(EnvironmentProblem) {
        let variables = settings.environment
        if let span = try variables.number("NEPHOS_PUSH_WINDOW_MILLISECONDS", 0...3_600_000) { window = Int64(span) }
        if let poll = try variables.number("NEPHOS_PUSH_POLL_SECONDS", 1...3_600) { pollEvery = .seconds(poll) }
        if let wait = try variables.number("NEPHOS_COURIER_SECONDS", 1...3_600) { pollWait = .seconds(wait) }
        try variables.set(&deviceHours, "NEPHOS_DEVICE_HOURS", 2...87_600)
        try variables.set(&logDays, "NEPHOS_PUSH_LOG_DAYS", 1...36_500)
        tellsDevices = !settings.isQuiet
    }
}
