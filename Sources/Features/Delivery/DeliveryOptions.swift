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

    package init() {}
}
