import Foundation
import NephosAdmin
import NephosEndpoints
import NephosRunner
import NephosStorage

/// Stores the demo's secrets next to the data, readable by its owner only, so that `serve --demo` shows the same ones each time:
/// the store contains only hashes of API tokens.
struct DemoFile {
    let path: String

    private let folder: String

    init(folder: String) {
        self.folder = folder
        path = folder + "/demo.json"
    }

    /// nil if there is no readable file, or if it is a link, or others can read it: the demo then creates new secrets.
    func read() -> Demo? {
        let file = NoFollow.openFile(path)
        guard file >= 0 else { return nil }
        let handle = FileHandle(fileDescriptor: file, closeOnDealloc: true)
        guard PrivateFile.problem(file, at: path) == nil, let bytes = try? handle.readToEnd() else { return nil }
        return try? JSONDecoder().decode(Demo.self, from: bytes)
    }

    func write(_ demo: Demo) throws {
        let bytes = try JSONEncoder().encode(demo)
        // If the data is in a database, the folder for local files may not exist yet.
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        try SecretFile(path: path).replace(Array(bytes))
    }
}

extension Demo {
    /// The output of `serve --demo`: everything needed to send requests to the server, and two commands that work as printed.
    func text(url: String) -> String {
        let requests = FirstRequests(Demo.tenant, at: url, apiToken: apiToken, webAuthToken: webAuthToken)
        return """
            URL             \(url)
            Container       \(Demo.tenant.container)
            Environment     \(Demo.tenant.environment.rawValue)
            API token       \(apiToken)
            Web auth token  \(webAuthToken)
            Signed in as    \(Demo.email)

            Save a note to the private database, then query all notes:

            \(requests.save)

            \(requests.query)
            """
    }
}
