import Foundation
import PublishedContent

/// The server and the credentials, from the same variables that the client library uses (docs/client.md).
struct Settings {
    var server: URL
    var container: String
    var environment: String
    var apiToken: String
    /// The session of the signed-in person.
    var webAuthToken: String?
    /// The language to request, instead of this machine's.
    var locale: String?
    /// The version of the app, as in its bundle.
    var version: String
    /// An id of this device.
    var device: String?
    /// The cache of app and widget; on Apple's platforms it would be the folder of an app group.
    var kept: URL

    init(_ environment: [String: String]) throws {
        func value(_ name: String) throws -> String {
            guard let value = environment[name], !value.isEmpty else { throw Complaint("Set \(name).") }
            return value
        }
        guard let server = URL(string: try value("NEPHOS_URL")) else {
            throw Complaint("NEPHOS_URL is not a valid URL.")
        }
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

    /// The audience for which content is requested.
    var audience: ContentAudience {
        var audience = ContentAudience.current
        (audience.appVersion, audience.installation) = (version, device)
        if let locale { audience.locale = locale }
        return audience
    }
}
