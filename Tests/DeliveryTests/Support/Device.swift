import NephosTesting
import Testing

/// A device received something other than a notification in response to a poll.
struct NotNotified: Error, CustomStringConvertible {
    var description: String
}

/// A client that polls for notifications: a browser with a `webcourierURL`.
struct Device: Sendable {
    /// Its name in ``Party``.
    let name: String
    let container: TestContainer
    let credentials: Credentials
    /// The `apnsToken` of its registration.
    let token: String
    /// Path and query of its `webcourierURL`.
    let place: String

    /// Registers with `tokens/create`, with its name as `clientId`.
    init(_ name: String, _ container: TestContainer, _ credentials: Credentials) throws {
        self.name = name
        self.container = container
        self.credentials = credentials
        let answer = try register(
            container.client(credentials), "tokens/create",
            ["apnsEnvironment": "development", "clientId": .string(name)])
        token = try #require(answer["apnsToken"].string, "\(answer)")
        let url = try #require(answer["webcourierURL"].string, "\(answer)")
        let start = "http://127.0.0.1:\(container.cloud.server.port)"
        try #require(url.hasPrefix(start), "\(url)")
        place = String(url.dropFirst(start.count))
    }

    /// A client for requests of this device, with its `clientId`.
    var client: CloudKitClient {
        let client = container.client(credentials)
        client.query = ["clientId=\(name)"]
        return client
    }

    /// A client for requests of the same user without a `clientId`.
    var nameless: CloudKitClient { container.client(credentials) }

    /// Polls once. - Returns: The response, at the latest when the server's timeout expires.
    func ask(on connection: HTTPConnection? = nil) throws -> HTTPResponse {
        let port = container.cloud.server.port
        return try (connection ?? HTTPConnection(port: port)).exchange(HTTPRequest("GET", place))
    }

    /// The next notification. - Throws: ``NotNotified``; HTTP errors if there is none for long.
    func next(on connection: HTTPConnection? = nil) throws -> JSON {
        let patience = Deadline()
        while true {
            let answer = try ask(on: connection)
            let body = try answer.json
            if answer.status == 200, body.isObject { return body }
            // The server's time limit for a poll has passed.
            if answer.status == 200, body == .null, !patience.hasPassed { continue }
            throw NotNotified(description: "\(name): \(answer.status) \(body)")
        }
    }

    /// All notifications before the one of a record of type `Fence`, without those of other such records.
    func told(beforeFence record: String) throws -> [JSON] {
        let connection = try HTTPConnection(port: container.cloud.server.port)
        var told: [JSON] = []
        while case let notification = try next(on: connection), notification.change["rid"] != .string(record) {
            if notification.subscription != "fence" { told.append(notification) }
        }
        return told
    }
}

/// Sends `tokens/create` or `tokens/register`; expects 200. - Returns: The body.
func register(_ client: CloudKitClient, _ endpoint: String, _ body: JSON) throws -> JSON {
    let path = "/device/1/\(client.container)/\(client.environment)/\(endpoint)"
    let response = try client.send("POST", path, body: body.bytes)
    let answer = try response.json
    try #require(response.status == 200, "\(answer)")
    return answer
}

extension JSON {
    /// The description of the change in a notification: the dictionary that docs/protocol.md B5 calls `qry`, `fet` or `met`.
    var change: JSON {
        let kinds = ["qry", "fet", "met"].map { self["ck"][$0] }.filter(\.isObject)
        return kinds.count == 1 ? kinds[0] : .absent
    }

    /// The ID of the subscription that fired.
    var subscription: String? { change["sid"].string }
}
