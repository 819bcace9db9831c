import Metrics
import NephosHTTP
import NephosRunner
import Synchronization

/// Counts requests by endpoint and status, their time and their bytes.
///
/// Endpoint labels are constants, so their number is small whatever clients send.
final class RequestMeter: Sendable {
    private struct Kind: Hashable {
        let endpoint: String
        let status: Int
    }

    private struct State {
        var requests: [Kind: Counter] = [:]
        var times: [String: Metrics.Timer] = [:]
    }

    private let factory: any MetricsFactory
    private let state = Mutex(State())
    private let bytesIn: Counter
    private let bytesOut: Counter

    init(factory: any MetricsFactory) {
        self.factory = factory
        bytesIn = Counter(label: "nephos_request_body_bytes_total", dimensions: [], factory: factory)
        bytesOut = Counter(label: "nephos_response_bytes_total", dimensions: [], factory: factory)
    }

    func count(_ exchange: Exchange) {
        let (requests, time) = metrics(endpoint: exchange.endpoint, status: exchange.status)
        requests.increment()
        time.recordNanoseconds(exchange.nanoseconds)
        bytesIn.increment(by: exchange.bytesIn)
        bytesOut.increment(by: exchange.bytesOut)
    }

    private func metrics(endpoint: String, status: Int) -> (Counter, Metrics.Timer) {
        let kind = Kind(endpoint: endpoint, status: status)
        return state.withLock { state in
            if let requests = state.requests[kind], let time = state.times[endpoint] { return (requests, time) }
            let dimensions = [("endpoint", endpoint)]
            let requests = Counter(
                label: "nephos_requests_total", dimensions: dimensions + [("status", String(status))], factory: factory)
            let time = Metrics.Timer(
                label: "nephos_request_seconds", dimensions: dimensions, preferredDisplayUnit: .seconds,
                factory: factory)
            state.requests[kind] = requests
            state.times[endpoint] = time
            return (requests, time)
        }
    }
}
