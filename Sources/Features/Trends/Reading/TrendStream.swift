import CloudKitWire
import NephosRunner
import NephosStorage

/// Notifies connected clients that figures have changed, at most once a second; a client then requests again what it shows.
enum TrendStream {
    private static let news = NewsRow.of([Trends.topic])
    private static let reading = {
        var set = ReadSet()
        set.ask(news)
        return set
    }()

    static func endpoint(_ host: FeatureHost) -> Endpoint {
        Endpoint("trends/stream", at: .container, methods: [.get]) { call in
            try call.trendAccess(.reads)
            return host.stream(call, of: [Trends.topic]) { _, store, seen in
                let id = String(try store.read(reading)[news].first?.number ?? 0)
                // A new client is notified immediately: something may have changed while it connected.
                guard id != seen else { return nil }
                var json = JSONWriter()
                json.beginObject()
                json.member("asOf", host.worker.now)
                json.endObject()
                return StreamEvent(id: id, "counted", data: json.bytes)
            }
        }
    }
}
