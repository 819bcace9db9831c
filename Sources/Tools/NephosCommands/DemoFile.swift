import Foundation
import NephosAdmin
import NephosEndpoints
import NephosStorage

/// Keeps the demo's secrets beside the data, readable by its owner only, so that `serve --demo` shows the same ones
/// each time: the store itself knows no API token, only its hash.
struct DemoFile {
    let path: String

    private let folder: String

    init(folder: String) {
        self.folder = folder
        path = folder + "/demo.json"
    }

    /// nil when there is none, or none that can be read: then the demo makes new secrets.
    func read() -> Demo? {
        guard let bytes = FileManager.default.contents(atPath: path) else { return nil }
        return try? JSONDecoder().decode(Demo.self, from: bytes)
    }

    func write(_ demo: Demo) throws {
        let bytes = try JSONEncoder().encode(demo)
        // Where the data is in a database, nobody has made the folder of local files yet.
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        try SecretFile(path: path).replace(Array(bytes))
    }
}

extension Demo {
    /// What `serve --demo` prints: all that is needed to talk to the server, and two commands that work as printed.
    func text(url: String) -> String {
        let requests = FirstRequests(Demo.tenant, at: url, apiToken: apiToken, webAuthToken: webAuthToken)
        return """
            URL             \(url)
            Container       \(Demo.tenant.container)
            Environment     \(Demo.tenant.environment.rawValue)
            API token       \(apiToken)
            Web auth token  \(webAuthToken)
            Signed in as    \(Demo.email)

            Save a note to the private database, then ask for all of them:

            \(requests.save)

            \(requests.query)
            """
    }
}
