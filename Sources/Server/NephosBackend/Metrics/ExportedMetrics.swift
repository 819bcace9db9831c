import Metrics
import Synchronization

/// A metric that can write its samples.
protocol ExportedMetric: AnyObject, Sendable {
    func samples(name: String, dimensions: String) -> String
}

/// An integer counter.
final class WholeCounter: CounterHandler, ExportedMetric {
    private let value = Atomic<Int64>(0)

    func increment(by amount: Int64) { value.wrappingAdd(amount, ordering: .relaxed) }
    func reset() { value.store(0, ordering: .relaxed) }

    func samples(name: String, dimensions: String) -> String {
        Sample.line(name, dimensions, Double(value.load(ordering: .relaxed)))
    }
}

/// A number that goes up and down, or a counter of fractions.
final class FloatingNumber: FloatingPointCounterHandler, MeterHandler, RecorderHandler, ExportedMetric {
    private let value = Mutex(0.0)

    func increment(by amount: Double) { value.withLock { $0 += amount } }
    func decrement(by amount: Double) { value.withLock { $0 -= amount } }
    func set(_ number: Int64) { set(Double(number)) }
    func set(_ number: Double) { value.withLock { $0 = number } }
    func record(_ number: Int64) { set(Double(number)) }
    func record(_ number: Double) { set(number) }
    func reset() { set(0.0) }

    func samples(name: String, dimensions: String) -> String {
        Sample.line(name, dimensions, value.withLock { $0 })
    }
}

/// Counts how many values are below each of a few bounds.
final class Histogram: RecorderHandler, TimerHandler, ExportedMetric {
    /// Bounds for times, which are recorded in nanoseconds and exported in seconds.
    static let seconds = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10]
    /// Bounds for numbers of things.
    static let counts: [Double] = [1, 2, 4, 8, 16, 32, 64, 128, 256, 1_024, 4_096, 16_384]

    private struct State {
        var counts: [Int]
        var sum = 0.0
        var total = 0
    }

    private let bounds: [Double]
    private let state: Mutex<State>

    init(bounds: [Double]) {
        self.bounds = bounds
        state = Mutex(State(counts: Array(repeating: 0, count: bounds.count)))
    }

    func recordNanoseconds(_ duration: Int64) { record(Double(duration) / 1e9) }
    func record(_ value: Int64) { record(Double(value)) }

    func record(_ value: Double) {
        let bucket = bounds.firstIndex { value <= $0 }
        state.withLock { state in
            if let bucket { state.counts[bucket] += 1 }
            state.sum += value
            state.total += 1
        }
    }

    func samples(name: String, dimensions: String) -> String {
        let state = state.withLock { $0 }
        let separator = dimensions.isEmpty ? "" : ","
        var below = 0
        var text = ""
        for (bound, count) in zip(bounds, state.counts) {
            below += count
            text += Sample.line(
                "\(name)_bucket", "\(dimensions)\(separator)le=\"\(Sample.text(bound))\"", Double(below))
        }
        text += Sample.line("\(name)_bucket", "\(dimensions)\(separator)le=\"+Inf\"", Double(state.total))
        text += Sample.line("\(name)_sum", dimensions, state.sum)
        return text + Sample.line("\(name)_count", dimensions, Double(state.total))
    }
}
