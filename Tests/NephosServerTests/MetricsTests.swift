import Metrics
import NephosBackend
import NephosEndpoints
import NephosHTTP
import NephosRunner
import NephosServer
import NephosStorage
import Testing

@Suite("Prometheus metrics")
struct MetricsTests {
    @Test("Values recorded with swift-metrics appear in the exposition format")
    func exposition() {
        let metrics = PrometheusMetrics()
        Counter(label: "a_total", dimensions: [("kind", "x\"y\\z\n")], factory: metrics).increment(by: 2)
        Counter(label: "a_total", dimensions: [("kind", "x\"y\\z\n")], factory: metrics).increment()
        Counter(label: "a_total", dimensions: [("kind", "b")], factory: metrics).increment()
        Meter(label: "b_now", dimensions: [], factory: metrics).set(1.5)
        Gauge(label: "c_now", dimensions: [], factory: metrics).record(7)
        metrics.sample("d_now") { 9 }
        metrics.sample("e_total", type: .counter) { 0.25 }
        #expect(
            String(decoding: metrics.text(), as: UTF8.self) == """
                # TYPE a_total counter
                a_total{kind="b"} 1
                a_total{kind="x\\"y\\\\z\\n"} 3
                # TYPE b_now gauge
                b_now 1.5
                # TYPE c_now gauge
                c_now 7
                # TYPE d_now gauge
                d_now 9
                # TYPE e_total counter
                e_total 0.25

                """)
    }

    @Test("A metric's description is above its type") func help() {
        let metrics = PrometheusMetrics()
        metrics.describe(["d_now": "What is there."])
        metrics.sample("d_now") { 9 }
        #expect(
            String(decoding: metrics.text(), as: UTF8.self)
                == "# HELP d_now What is there.\n# TYPE d_now gauge\nd_now 9\n")
    }

    @Test("Times are exported in seconds as cumulative buckets")
    func histogram() {
        let metrics = PrometheusMetrics()
        let timer = Metrics.Timer(label: "t_seconds", dimensions: [("endpoint", "x")], factory: metrics)
        for nanoseconds: Int64 in [50_000, 100_000, 2_000_000, 20_000_000_000] { timer.recordNanoseconds(nanoseconds) }
        let lines = String(decoding: metrics.text(), as: UTF8.self).split(separator: "\n")
        #expect(lines.first == "# TYPE t_seconds histogram")
        #expect(lines.contains(#"t_seconds_bucket{endpoint="x",le="0.0001"} 2"#))
        #expect(lines.contains(#"t_seconds_bucket{endpoint="x",le="0.001"} 2"#))
        #expect(lines.contains(#"t_seconds_bucket{endpoint="x",le="0.0025"} 3"#))
        #expect(lines.contains(#"t_seconds_bucket{endpoint="x",le="10"} 3"#))
        #expect(lines.contains(#"t_seconds_bucket{endpoint="x",le="+Inf"} 4"#))
        #expect(lines.contains(#"t_seconds_count{endpoint="x"} 4"#))
    }

    @Test("Commits and the sizes of their groups are counted")
    func commits() {
        let metrics = PrometheusMetrics()
        let meter = StorageMeter(factory: metrics)
        meter.committed(CommitReport(commits: 3))
        meter.committed(CommitReport(commits: 1))
        let lines = String(decoding: metrics.text(), as: UTF8.self).split(separator: "\n")
        #expect(lines.contains("nephos_commits_total 4"))
        #expect(lines.contains(#"nephos_commit_group_size_bucket{le="1"} 1"#))
        #expect(lines.contains(#"nephos_commit_group_size_bucket{le="4"} 2"#))
        #expect(lines.contains("nephos_commit_group_size_count 2"))
    }

    @Test("Queries count what they examined, when they waited and how index builds ended")
    func queries() {
        let metrics = PrometheusMetrics()
        let meter = QueryMeter(factory: metrics)
        meter.looked(ReadWork(rows: 3, bytes: 1_000, comparisons: 4))
        meter.looked(ReadWork(rows: 5, bytes: 200))
        meter.waits()
        meter.built(.success(()))
        meter.built(.failure(StorageError.full))
        meter.built(.success(()))
        let lines = String(decoding: metrics.text(), as: UTF8.self).split(separator: "\n")
        #expect(lines.contains("nephos_queries_rows_examined_sum 8"))
        #expect(lines.contains("nephos_queries_rows_examined_count 2"))
        #expect(lines.contains("nephos_queries_bytes_examined_sum 1200"))
        #expect(lines.contains("nephos_queries_comparisons_sum 4"))
        #expect(lines.contains("nephos_queries_index_waits_total 1"))
        #expect(lines.contains(#"nephos_queries_index_builds_total{result="done"} 2"#))
        #expect(lines.contains(#"nephos_queries_index_builds_total{result="failed"} 1"#))
    }

    @Test("A label keeps its kind: values recorded under it as another kind are not exported")
    func kinds() {
        let metrics = PrometheusMetrics()
        Counter(label: "same", dimensions: [], factory: metrics).increment()
        Gauge(label: "same", dimensions: [], factory: metrics).record(5)
        #expect(String(decoding: metrics.text(), as: UTF8.self) == "# TYPE same counter\nsame 1\n")
    }
}
