package import NephosRunner

/// The address of a push service.
package struct APNsHost: Sendable, Equatable, CustomStringConvertible {
    /// `https://host[:port]`, without a path.
    package let baseURL: String

    /// For apps from the App Store or TestFlight, and all others that are signed for distribution.
    package static let production = APNsHost(known: "https://api.push.apple.com")
    /// For apps that Xcode installed.
    package static let sandbox = APNsHost(known: "https://api.sandbox.push.apple.com")

    /// Another server, for tests and proxies.
    ///
    /// - Parameter baseURL: `https://host[:port]`.
    /// - Throws: ``WebhookAddressError``, whose rules for hosts and ports apply; `path` if there is a path.
    package init(baseURL: String) throws(WebhookAddressError) {
        let url = try URLParts(baseURL)
        guard url.scheme == "https" else { throw .notHTTPS }
        guard url.target.isEmpty || url.target == "/" else { throw .path }
        self.baseURL = "https://" + url.authority
    }

    private init(known: String) { baseURL = known }

    package var description: String { baseURL }
}
