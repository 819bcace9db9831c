import NephosTesting
import Testing

/// A device asked for its notifications and was answered otherwise than with one.
struct NotTold: Error, CustomStringConvertible {
    var description: String
}

/// Something that asks for its notifications: a browser with a `webcourierURL`.
struct Device: Sendable {
    /// As ``Party`` names it.
    let name: String
    let container: TestContainer
    let credentials: Credentials
    /// `apnsToken` of its registration.
    let token: String
    /// Path and query of its `webcourierURL`.
    let place: String

    /// Registers with `tokens/create`, under a `clientId` that is its name.
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

    /// Requests that this device makes: they carry its `clientId`.
    var client: CloudKitClient {
        let client = container.client(credentials)
        client.query = ["clientId=\(name)"]
        return client
    }

    /// The same person's requests, by nothing that has a name.
    var nameless: CloudKitClient { container.client(credentials) }

    /// Asks once. - Returns: The answer, at the latest when the server gives up.
    func ask(on connection: HTTPConnection? = nil) throws -> HTTPResponse {
        let port = container.cloud.server.port
        return try (connection ?? HTTPConnection(port: port, timeout: 40)).exchange(HTTPRequest("GET", place))
    }

    /// The next notification. - Throws: ``NotTold``; what HTTP throws when there is none for long.
    func next(on connection: HTTPConnection? = nil) throws -> JSON {
        let answer = try ask(on: connection)
        let body = try answer.json
        guard answer.status == 200, body.isObject else {
            throw NotTold(description: "\(name): \(answer.status) \(body)")
        }
        return body
    }

    /// Everything it is told up to a notification of this subscription, which is left out.
    func told(before subscription: String) throws -> [JSON] {
        let connection = try HTTPConnection(port: container.cloud.server.port, timeout: 40)
        var told: [JSON] = []
        while case let notification = try next(on: connection), notification.subscription != subscription {
            told.append(notification)
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
    /// What a notification says of its change: the dictionary that docs/protocol.md B5 calls `qry`, `fet` or `met`.
    var change: JSON {
        let kinds = ["qry", "fet", "met"].map { self["ck"][$0] }.filter(\.isObject)
        return kinds.count == 1 ? kinds[0] : .absent
    }

    /// The id of the subscription that fired.
    var subscription: String? { change["sid"].string }
}
