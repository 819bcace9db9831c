/// A browser on the sign-in pages of servers with a public URL. Its requests can go to any of them.
package struct PageVisitor {
    /// A page lacks the expected content; the description contains the page.
    package struct MissingContent: Error, CustomStringConvertible { package var description: String }

    /// The servers' public URL.
    private let site: String
    private let clients: [CloudKitClient]
    /// The address that a proxy would name as its own; nil for none.
    private let address: String?
    /// Cookies, by name.
    package private(set) var jar: [String: String]

    /// - Parameters:
    ///   - clients: One for each server. Their headers are the visitor's from now on.
    ///   - jar: The cookies of a visitor whose visit goes on.
    ///   - address: The address that a trusted proxy names.
    package init(
        at site: String, _ clients: [CloudKitClient], jar: [String: String] = [:], from address: String? = nil
    ) {
        (self.site, self.clients, self.jar, self.address) = (site, clients, jar, address)
    }

    /// The target of the redirect URL in the status 421 for a web page: path and query.
    ///
    /// - Parameter origin: The origin of the app's page.
    package func redirect(_ apiToken: String, from origin: String) throws -> String {
        clients[0].headers = [HTTPHeader("Origin", origin)]
        let path = clients[0].path("users/caller", .public) + "?ckAPIToken=\(apiToken)"
        let answer = try clients[0].send("GET", path, body: nil)
        guard let url = try answer.json["redirectURL"].string, url.hasPrefix(site + "/sign-in?") else {
            throw MissingContent(description: "\(answer.status): no redirectURL of \(site)")
        }
        return String(url.dropFirst(site.count))
    }

    package mutating func get(_ target: String, at server: Int = 0) throws -> HTTPResponse {
        try send("GET", target, nil, at: server)
    }

    /// Submits the form of a page, with the value of its hidden field.
    package mutating func submit(
        _ page: HTTPResponse, _ target: String, _ fields: [(String, String)], at server: Int = 0
    ) throws -> HTTPResponse {
        guard let form = page.text.value(after: "name=\"form\" value=\"") else {
            throw MissingContent(description: "\(page.status): there is no form in \(page.text)")
        }
        let body = ([("form", form)] + fields).map { "\($0)=\(percentEncoded($1))" }.joined(separator: "&")
        return try send("POST", target, Array(body.utf8), at: server)
    }

    private mutating func send(
        _ method: String, _ target: String, _ body: [UInt8]?, at server: Int
    ) throws -> HTTPResponse {
        let client = clients[server]
        client.headers = [
            HTTPHeader("Origin", site), HTTPHeader("Content-Type", "application/x-www-form-urlencoded"),
        ]
        if let address { client.headers.append(HTTPHeader("X-Forwarded-For", address)) }
        if !jar.isEmpty {
            let cookies = jar.map { "\($0)=\($1)" }.sorted().joined(separator: "; ")
            client.headers.append(HTTPHeader("Cookie", cookies))
        }
        let answer = try client.send(method, target, body: body)
        for header in answer.headers where header.name.lowercased() == "set-cookie" {
            let pair = header.value.prefix { $0 != ";" }.split(separator: "=", omittingEmptySubsequences: false)
            jar[String(pair[0])] = header.value.contains("Max-Age=0") ? nil : String(pair[1])
        }
        return answer
    }
}

extension HTTPResponse {
    /// The body as text.
    package var text: String { String(decoding: body, as: UTF8.self) }

    /// The web auth token that a page posts to the page that opened it.
    package var postedToken: String? { text.value(after: "ckWebAuthToken&quot;:&quot;", until: "&") }
}

extension String {
    fileprivate func value(after mark: String, until end: Character = "\"") -> String? {
        firstRange(of: mark).map { String(self[$0.upperBound...].prefix { $0 != end }) }
    }
}
