public import Foundation

/// A request to a Nephos server, to be sent with any HTTP client.
public struct TrendsRequest: Sendable, Hashable {
    public let url: URL
    public let method: String
    public let headers: [String: String]
    public let body: Data
}

/// The destination of counts: a container of a Nephos server.
public struct TrendsReceiver: Sendable, Hashable {
    /// For example `https://nephos.example.com`.
    public var server: URL
    /// The container on the server, which may have another name than the one that was counted.
    public var container: String
    /// `production` or `development`.
    public var environment: String
    /// A token created for imports, without other rights.
    public var token: String
    /// Maximum number of days per request.
    static let daysMax = 5_000

    public init(server: URL, container: String, environment: String = "production", token: String) {
        (self.server, self.container, self.environment, self.token) = (server, container, environment, token)
    }

    /// The requests for a report: one for each 5,000 days.
    ///
    /// - Throws: `EncodingError` for text that is not valid Unicode.
    public func requests(for report: TrendsReport) throws -> [TrendsRequest] {
        let url = server.appending(path: "nephos/1/\(container)/\(environment)/trends/import")
        return try report.parts(daysMax: Self.daysMax).map { part in
            TrendsRequest(
                url: url, method: "POST",
                headers: ["Authorization": "Bearer \(token)", "Content-Type": "application/json"], body: try part.json()
            )
        }
    }

    /// Sends a report, one request after the other, until one fails. After a failure the report can be sent again unchanged.
    ///
    /// - Parameter send: Sends one request, and returns the status of its response.
    /// - Returns: The first status that is not a success; 200 if all requests succeeded.
    /// - Throws: Errors of `send`, and `EncodingError`.
    @discardableResult
    public func send(_ report: TrendsReport, by send: (TrendsRequest) async throws -> Int) async throws -> Int {
        for request in try requests(for: report) {
            let status = try await send(request)
            guard (200..<300).contains(status) else { return status }
        }
        return 200
    }
}
