public import Foundation

/// A request to a Nephos server, for whatever an app sends requests with.
public struct TrendsRequest: Sendable, Hashable {
    public let url: URL
    public let method: String
    public let headers: [String: String]
    public let body: Data
}

/// Where counts are sent to: a container of a Nephos server.
public struct TrendsReceiver: Sendable, Hashable {
    /// Such as `https://nephos.example.com`.
    public var server: URL
    /// The server's container, which need not be called as the one that was counted.
    public var container: String
    /// `production` or `development`.
    public var environment: String
    /// One that was made for imports and may do nothing else.
    public var token: String
    /// Days of one request.
    static let daysMax = 5_000

    public init(server: URL, container: String, environment: String = "production", token: String) {
        (self.server, self.container, self.environment, self.token) = (server, container, environment, token)
    }

    /// Of a report: one for each 5,000 days.
    ///
    /// - Throws: `EncodingError`, for text that is no Unicode.
    public func requests(for report: TrendsReport) throws -> [TrendsRequest] {
        let url = server.appending(path: "nephos/1/\(container)/\(environment)/trends/import")
        return try report.parts(daysMax: Self.daysMax).map { part in
            TrendsRequest(
                url: url, method: "POST",
                headers: ["Authorization": "Bearer \(token)", "Content-Type": "application/json"], body: try part.json()
            )
        }
    }

    /// Sends a report, one request after the other, until one fails. What fails is sent once more as it is.
    ///
    /// - Parameter send: Sends one request, and returns the status of its answer.
    /// - Returns: The first status that is none of success; 200 where all were taken.
    /// - Throws: What `send` throws, and `EncodingError`.
    @discardableResult
    public func send(_ report: TrendsReport, by send: (TrendsRequest) async throws -> Int) async throws -> Int {
        for request in try requests(for: report) {
            let status = try await send(request)
            guard (200..<300).contains(status) else { return status }
        }
        return 200
    }
}
