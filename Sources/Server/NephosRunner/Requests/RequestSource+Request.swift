import NephosNetwork
package import NephosStorage

extension RequestSource {
    /// The origin of a request, without what would tell its sender from their neighbors.
    ///
    /// - Parameter token: Hash of the API token; empty for none.
    package init(_ request: RawRequest, token: [UInt8]) {
        self.init(
            token: token, device: BrowserName(request.headers.agent).short, network: request.network.surroundingsText)
    }
}

extension RequestHeaders {
    private static let agentMax = 200

    /// The `User-Agent`, cut; empty for none.
    package var agent: String {
        // Only printable ASCII, as this is shown in terminals and pages; browsers send nothing else.
        let printable = (first(.userAgent) ?? "").utf8.filter { (0x20...0x7E).contains($0) }
        return String(decoding: printable.prefix(Self.agentMax), as: UTF8.self)
    }
}
