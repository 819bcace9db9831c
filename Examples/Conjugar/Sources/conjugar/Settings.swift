import Communications
import Foundation

/// The server and the credentials, from the same variables that the client library uses (docs/client.md).
struct Settings {
    var getter: HTTPCommunGetter
    /// The person for whom messages are requested.
    var question: CommunQuestion
    /// The file of this installation.
    var memory: CommunMemory
    /// Actions that this build of the app has no code for.
    var lacks: Set<String>

    init(_ environment: [String: String]) throws {
        func value(_ name: String) throws -> String {
            guard let value = environment[name], !value.isEmpty else { throw Complaint("Set \(name).") }
            return value
        }
        func words(_ name: String) -> Set<String> {
            Set((environment[name] ?? "").split(separator: ",").map(String.init))
        }
        guard let server = URL(string: try value("NEPHOS_URL")) else {
            throw Complaint("NEPHOS_URL is not a valid URL.")
        }
        let session = environment["NEPHOS_WEB_AUTH_TOKEN"]
        getter = HTTPCommunGetter(
            server: server, container: try value("NEPHOS_CONTAINER"),
            environment: environment["NEPHOS_ENVIRONMENT"] ?? "development",
            credentials: CommunCredentials(token: try value("NEPHOS_API_TOKEN"), webAuthToken: { session }))
        var audience = CommunAudience.current
        audience.appVersion = environment["CONJUGAR_VERSION"] ?? "2.4"
        if let locale = environment["CONJUGAR_LOCALE"] { audience.locale = locale }
        question = CommunQuestion(audience, state: words("CONJUGAR_STATE"))
        let folder = environment["CONJUGAR_FOLDER"].map { URL(filePath: $0).appending(path: "seen.json") }
        memory = CommunMemory(file: folder ?? CommunMemory.defaultFile)
        lacks = words("CONJUGAR_LACKS")
    }
}
