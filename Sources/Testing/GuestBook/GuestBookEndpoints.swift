import NephosRunner
import NephosStorage

extension GuestBook {
    /// Below `/nephos/1/CONTAINER/ENVIRONMENT/guestbook/`, for callers with an API token.
    static func endpoints(_ host: FeatureHost) -> [Endpoint] {
        [
            Endpoint("\(name)/summary", at: .container, methods: [.get]) { call in
                call.carryOut(GuestBookSummary.reading) { reading in
                    let summary = GuestBookSummary(reading)
                    return .answer(call.answer(summary.json, tag: summary.version))
                }
            },
            Endpoint("\(name)/page", at: .container, methods: [.get]) { call in
                call.carryOut(GuestBookSummary.reading) { reading in
                    .answer(call.answer(GuestBookSummary(reading).page))
                }
            },
            Endpoint("\(name)/stream", at: .container, methods: [.get]) { call in
                host.stream(call, of: [topic]) { _, store, seen in
                    let summary = GuestBookSummary(try store.read(GuestBookSummary.reading))
                    guard summary.version != seen else { return nil }
                    return StreamEvent(id: summary.version, "signed", data: summary.json)
                }
            },
        ]
    }
}

extension GuestBookSummary {
    fileprivate var page: HTMLPage {
        let rows = days.map { "<tr><td>\($0.date)</td><td>\($0.signed)</td><td>\($0.removed)</td></tr>" }
        return HTMLPage(
            title: "Guest book",
            body: """
                <h1>Guest book</h1>
                <p>\(signed - removed) signatures.</p>
                <div class="wide"><table><tr><th>Day</th><th>Signed</th><th>Removed</th></tr>\(rows.joined())</table></div>
                """)
    }
}
