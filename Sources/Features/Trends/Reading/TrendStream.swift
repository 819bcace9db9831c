import CloudKitWire
import NephosRunner
import NephosStorage

/// Tells who is connected that figures have moved, once a second at most: whoever is told asks again for what it shows.
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
                // Who has seen none is told at once: something may have moved while it connected.
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
