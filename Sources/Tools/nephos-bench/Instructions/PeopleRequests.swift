import NephosTesting

/// A user who signs in on the page, and their subsequent requests.
enum PeopleRequests {
    /// The origin of the measured server: forms are bound to one origin, wherever it listens.
    static let site = "https://cloud.example.org"
    static let password = "correct horse battery"
    private static let app = "https://app.example.org"

    /// Creates accounts, and allows the app of a container to sign people in.
    static func fill(_ container: String, by server: ServerProcess, _ folder: TemporaryFolder, emails: [String]) throws
    {
        let file = folder.path + "/password"
        try writeFile(file, password.utf8)
        for email in emails { try server.command("account", "create", email, "--password-file", file) }
        let tokens = try server.command("token", "list", container)
        guard let id = tokens.split(separator: "\n").last?.split(separator: " ").first else {
            throw Wrk.Failure(description: "there is no API token")
        }
        try server.command("token", "set", container, String(id), "--origins", app)
    }

    /// The sign-in page, as a new browser receives it.
    ///
    /// - Parameter address: What a trusted proxy names as its address.
    static func page(
        _ client: CloudKitClient, from address: String? = nil
    ) throws -> (visitor: PageVisitor, page: HTTPResponse, target: String) {
        let apiToken = client.credentials.apiToken
        var visitor = visitor(client, from: address)
        let target = try visitor.redirect(apiToken, from: app)
        // First, because the response sets a cookie.
        let page = try visitor.get(target)
        return (visitor, page, target)
    }

    /// A browser, with a connection of its own.
    static func visitor(
        _ client: CloudKitClient, jar: [String: String] = [:], from address: String? = nil
    ) -> PageVisitor {
        let nobody = CloudKitClient(port: client.port, container: client.container, credentials: .none, timeout: 600)
        return PageVisitor(at: site, [nobody], jar: jar, from: address)
    }

    /// Types address and password, and says yes where that is asked.
    ///
    /// - Returns: The response to the password, or to the consent.
    static func signIn(
        _ visitor: inout PageVisitor, _ page: HTTPResponse, _ target: String, email: String
    ) throws -> HTTPResponse {
        let answer = try visitor.submit(
            page, target, [("email", email), ("password", password), ("answer", "yes")])
        guard answer.status == 200, answer.postedToken == nil else { return answer }
        return try visitor.submit(answer, target, [("step", "consent"), ("answer", "yes")])
    }
}

extension Credentials {
    /// Empty if there is none.
    var apiToken: String {
        switch self {
        case .app(let token), .person(let token, _), .session(let token, _): token
        case .none, .key: ""
        }
    }
}
