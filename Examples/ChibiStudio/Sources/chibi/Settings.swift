import Foundation
import PublishedContent

/// Where the server is and who asks, under the names that the client library knows, too (docs/client.md).
struct Settings {
    var server: URL
    var container: String
    var environment: String
    var apiToken: String
    /// The session of who is signed in.
    var webAuthToken: String?
    /// Whose language is served, in place of this machine's.
    var locale: String?
    /// Of the app, as its bundle would say.
    var version: String
    /// What stands for this device.
    var device: String?
    /// Where app and widget keep what came: the folder of an app group elsewhere.
    var kept: URL

    init(_ environment: [String: String]) throws {
        func value(_ name: String) throws -> String {
            guard let value = environment[name], !value.isEmpty else { throw Complaint("Set \(name).") }
            return value
        }
        guard let server = URL(string: try value("NEPHOS_URL")) else { throw Complaint("NEPHOS_URL is no address.") }
        self.server = server
        container = try value("NEPHOS_CONTAINER")
        self.environment = environment["NEPHOS_ENVIRONMENT"] ?? "development"
        apiToken = try value("NEPHOS_API_TOKEN")
        webAuthToken = environment["NEPHOS_WEB_AUTH_TOKEN"]
        locale = environment["CHIBI_LOCALE"]
        version = environment["CHIBI_VERSION"] ?? "2.2"
        device = environment["CHIBI_DEVICE"]
        kept =
            environment["CHIBI_FOLDER"].map { URL(filePath: $0) }
            ?? FileManager.default.temporaryDirectory.appending(path: "chibi")
    }

    /// Whom content is asked for.
    var audience: ContentAudience {
        var audience = ContentAudience.current
        (audience.appVersion, audience.installation) = (version, device)
        if let locale { audience.locale = locale }
        return audience
    }
}
