public import Foundation

/// The result of a refresh.
public struct TrendsRefresh: Sendable, Hashable {
    /// The result for one tracker.
    public struct State: Sendable, Hashable {
        public let tracker: TrendsTracker
        /// Nil if it was counted.
        public let problem: TrendsProblem?
    }

    /// When it ended, by this device's clock.
    public let date: Date
    /// One for each tracker, in order.
    public let states: [State]
    /// All counts, including those of trackers that were not counted this time. Nil if the stored counts could not be read.
    public let figures: TrendsFigures?

    /// Whether everything was counted.
    public var isComplete: Bool { states.allSatisfy { $0.problem == nil } }

    /// A message that an app may show: a line for each problem, with what to change. Nil if there are none.
    public var message: String? {
        var lines: [String] = []
        for problem in states.compactMap(\.problem) {
            let line = "\(problem.message): \(problem.advice)"
            if !lines.contains(line) { lines.append(line) }
        }
        return lines.isEmpty ? nil : lines.joined(separator: "\n")
    }
}
