public import Foundation

/// What a refresh came to.
public struct TrendsRefresh: Sendable, Hashable {
    /// What became of one tracker.
    public struct State: Sendable, Hashable {
        public let tracker: TrendsTracker
        /// Nil where it was counted.
        public let problem: TrendsProblem?
    }

    /// When it ended, by this device's clock.
    public let date: Date
    /// One for each tracker, in their order.
    public let states: [State]
    /// All that is known now, also of trackers that were not counted this time. Nil where what is kept could not be read.
    public let figures: TrendsFigures?

    /// Whether everything was counted.
    public var isComplete: Bool { states.allSatisfy { $0.problem == nil } }

    /// What an app may show: a line for each thing that is wrong, with what to change. Nil where nothing is.
    public var message: String? {
        var lines: [String] = []
        for problem in states.compactMap(\.problem) {
            let line = "\(problem.message): \(problem.advice)"
            if !lines.contains(line) { lines.append(line) }
        }
        return lines.isEmpty ? nil : lines.joined(separator: "\n")
    }
}
