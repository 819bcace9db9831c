package import Metrics
package import NephosRunner
import Synchronization

/// Stores the values reported through swift-metrics, and writes them as Prometheus text (exposition format 0.0.4).
///
/// Labels become metric names unchanged, so they are written in Prometheus' style from the start: `nephos_requests_total`. One
/// label has one kind; a metric created under a label of another kind is not exported.
package final class PrometheusMetrics: MetricsFactory {
    private struct Family {
        let type: String
        var series: [(dimensions: String, metric: any ExportedMetric)] = []
    }

    private struct State {
        var families: [String: Family] = [:]
        var sampled: [String: (type: String, sample: @Sendable () -> Double)] = [:]
    }

    private let labelled = Mutex<[String: FigureFamily]>([:])
    private let state = Mutex(State())
    private let help = Mutex(MetricHelp.ofServer)

    package init() {}

    /// Sets the HELP texts of metrics, by their names.
    package func describe(_ texts: [String: String]) { help.withLock { $0.merge(texts) { $1 } } }

    /// Adds a metric whose value is computed whenever the metrics are scraped. One of the same name is replaced.
    package func sample(_ name: String, type: SampledType = .gauge, _ value: @escaping @Sendable () -> Double) {
        state.withLock { $0.sampled[name] = (type.rawValue, value) }
    }

    /// Adds metrics with labels, whose values are computed whenever the metrics are scraped.
    package func sample(_ family: FigureFamily) { labelled.withLock { $0[family.name] = family } }

    package enum SampledType: String, Sendable { case gauge, counter }

    /// All metrics, sorted by name.
    package func text() -> [UInt8] {
        let (families, sampled) = state.withLock { ($0.families, $0.sampled) }
        let help = help.withLock(\.self)
        func head(_ name: String, _ type: String) -> String {
            (help[name].map { "# HELP \(name) \($0)\n" } ?? "") + "# TYPE \(name) \(type)\n"
        }
        var blocks: [(name: String, text: String)] = sampled.map { name, metric in
            (name, head(name, metric.type) + "\(name) \(Sample.text(metric.sample()))\n")
        }
        for family in labelled.withLock({ $0.values }) {
            let lines = family.figures().map { figure in
                Sample.line(family.name, Sample.dimensions(figure.labels.map { ($0.name, $0.value) }), figure.value)
            }
            // A family without figures is omitted.
            guard !lines.isEmpty else { continue }
            blocks.append((family.name, head(family.name, family.kind.rawValue) + lines.sorted().joined()))
        }
        for (name, family) in families {
            let samples = family.series.sorted { $0.dimensions < $1.dimensions }.map { series in
                series.metric.samples(name: name, dimensions: series.dimensions)
            }
            blocks.append((name, head(name, family.type) + samples.joined()))
        }
        return Array(blocks.sorted { $0.name < $1.name }.map(\.text).joined().utf8)
    }

    // MARK: MetricsFactory

    package func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
        metric(label, dimensions, type: "counter") { WholeCounter() }
    }

    package func makeFloatingPointCounter(
        label: String, dimensions: [(String, String)]
    ) -> any FloatingPointCounterHandler {
        metric(label, dimensions, type: "counter") { FloatingNumber() }
    }

    package func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
        metric(label, dimensions, type: "gauge") { FloatingNumber() }
    }

    package func makeRecorder(
        label: String, dimensions: [(String, String)], aggregate: Bool
    ) -> any RecorderHandler {
        if aggregate { return metric(label, dimensions, type: "histogram") { Histogram(bounds: Histogram.counts) } }
        return metric(label, dimensions, type: "gauge") { FloatingNumber() }
    }

    package func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
        metric(label, dimensions, type: "histogram") { Histogram(bounds: Histogram.seconds) }
    }

    // Values are kept: a counter that disappears and comes back looks like a restart.
    package func destroyCounter(_ handler: any CounterHandler) {}
    package func destroyFloatingPointCounter(_ handler: any FloatingPointCounterHandler) {}
    package func destroyMeter(_ handler: any MeterHandler) {}
    package func destroyRecorder(_ handler: any RecorderHandler) {}
    package func destroyTimer(_ handler: any TimerHandler) {}

    /// The metric with this label and these dimensions; an unexported one if the label has another type.
    private func metric<Metric: ExportedMetric>(
        _ label: String, _ dimensions: [(String, String)], type: String, _ make: () -> Metric
    ) -> Metric {
        let key = Sample.dimensions(dimensions)
        return state.withLock { state in
            var family = state.families[label] ?? Family(type: type)
            guard family.type == type else { return make() }
            if let known = family.series.first(where: { $0.dimensions == key }) {
                return known.metric as? Metric ?? make()
            }
            let metric = make()
            family.series.append((key, metric))
            state.families[label] = family
            return metric
        }
    }
}

/// Writes parts of the exposition format.
enum Sample {
    /// `key="value",…` without braces.
    static func dimensions(_ dimensions: [(String, String)]) -> String {
        dimensions.map { key, value in
            let escaped = value.flatMap { character in
                switch character {
                case "\\": "\\\\"
                case "\"": "\\\""
                case "\n": "\\n"
                default: String(character)
                }
            }
            return "\(key)=\"\(String(escaped))\""
        }.joined(separator: ",")
    }

    static func line(_ name: String, _ dimensions: String, _ value: Double) -> String {
        dimensions.isEmpty ? "\(name) \(text(value))\n" : "\(name){\(dimensions)} \(text(value))\n"
    }

    /// Whole numbers without a point.
    static func text(_ value: Double) -> String { Int64(exactly: value).map(String.init) ?? "\(value)" }
}
