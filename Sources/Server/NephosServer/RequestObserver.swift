import NephosHTTP
import NephosRunner

/// Logs and counts the events of the transport.
///
/// The line of a request is written directly to the sink and not through `Logger`, whose metadata would cost several times as
/// much as the line itself. It looks the same as all other lines.
struct RequestObserver: TransportObserver {
    let sink: LogSink
    let level: LogLevel
    let meter: RequestMeter

    func answered(_ exchange: Exchange) {
        meter.count(exchange)
        let own: LogLevel = exchange.status == 500 ? .error : .info
        guard level <= own else { return }
        sink.line(own, "request") { line in
            line.member("request", exchange.id.text)
            line.member("client", exchange.client)
            line.member("method", exchange.method)
            line.member("path", exchange.path)
            line.member("endpoint", exchange.endpoint)
            line.member("status", exchange.status)
            line.member("ms", nanoseconds: exchange.nanoseconds)
            line.member("bytesIn", exchange.bytesIn)
            line.member("bytesOut", exchange.bytesOut)
        }
    }

    func failed(_ error: any Error, id: RequestID) {
        sink.line(.error, "unexpected error") { line in
            line.member("request", id.text)
            line.member("error", String(describing: error))
        }
    }
}
