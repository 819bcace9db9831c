import NephosRunner
import NephosStorage
import NephosTesting
import RequestTesting

@testable import NephosTrends

extension TrendCloud {
    static let path = "/nephos/1/\(SmallCloud.container)/development/trends"

    /// A token for trends of an environment.
    func token(
        isImport: Bool = false, name: String = "", in tenant: Tenant = SmallCloud.tenant
    ) async throws -> String {
        try await cloud.administration.createTrendToken(in: tenant, name: name, isImport: isImport)
    }

    static func bearer(_ token: String) -> [(String, String)] { [("Authorization", "Bearer \(token)")] }

    /// The response to a request without any credentials except the headers.
    func ask(_ target: String, _ headers: [(String, String)], method: String = "GET", body: String = "") throws
        -> RawResponse
    {
        try cloud.ask(method, target, body, headers: headers, as: .stranger)
    }

    /// Starts a request whose response is a stream, or none.
    func begin(_ target: String, _ headers: [(String, String)]) -> LocalExchange {
        cloud.begin(cloud.request("GET", target, headers: headers, as: .stranger)) { _, _ in }
    }
}
