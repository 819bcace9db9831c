import RequestTesting

/// Which caller may send which request to which database: each endpoint, in each database, by each kind of caller.
enum Access {
    static var requests: [RecordedRequest] {
        [RecordedRequest(.person, "users/caller", as: "me"), RecordedRequest(.friend, "users/caller", as: "friend")]
            + ["public", "private", "shared"].flatMap { database in
                Endpoints.all.flatMap { endpoint in
                    callers.map { ask($0, "\(database)/\(endpoint.path)", endpoint.body) }
                }
            }
            + Endpoints.all.map { ask(.person, $0.path, $0.body) }
            + Endpoints.all.map { ask(.friend, "private/\($0.path)", $0.body) }
    }

    private static let callers: [SmallCloud.Caller] = [.stranger, .app, .person, .key]

    private static func ask(_ caller: SmallCloud.Caller, _ target: String, _ body: String) -> RecordedRequest {
        RecordedRequest(caller, target, body)
    }
}
