import NephosTesting

/// A client that is notified of signatures as they become visible.
struct Watcher {
    private var port: Int
    /// Path and query of its `webcourierURL`.
    private let place: String

    init(_ client: CloudKitClient) throws {
        port = client.port
        let device = "/device/1/\(client.container)/\(client.environment)/tokens/create"
        let body: JSON = ["apnsEnvironment": "development", "clientId": "watcher"]
        let made = try client.send("POST", device, body: body.bytes).json
        guard let url = made["webcourierURL"].string else { throw WrongAnswer(description: "tokens/create: \(made)") }
        place = String(url.dropFirst("http://127.0.0.1:\(port)".count))
        let subscription: JSON = [
            "subscriptionID": "signatures", "subscriptionType": "query", "query": ["recordType": "Signature"],
            "firesOn": ["create", "delete"],
        ]
        let answer = try client.post(
            "subscriptions/modify", .public,
            ["operations": [["operationType": "create", "subscription": subscription]]])
        guard answer.status == 200 else { throw WrongAnswer(description: "subscriptions/modify: \(try answer.json)") }
    }

    /// The same on another server.
    func at(_ port: Int) -> Watcher {
        var other = self
        other.port = port
        return other
    }

    /// The name of the next signature of which it is notified. Blocks until then.
    func next() throws -> String? {
        let patience = Deadline()
        while true {
            let answer = try HTTPConnection(port: port).exchange(HTTPRequest("GET", place)).json
            // Null when the server's time limit for a poll has passed.
            if answer != .null || patience.hasPassed { return answer["ck"]["qry"]["rid"].string }
        }
    }
}
