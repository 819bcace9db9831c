import CloudKit

/// The server that the workflow has started.
enum TestServer {
    static let container: CKContainer = {
        let variables = ProcessInfo.processInfo.environment
        let configuration = NephosConfiguration(
            // The container that CKContainer.default() stands for.
            containerIdentifier: "iCloud.com.example.notes",
            serverURL: URL(string: variables["NEPHOS_URL"] ?? "http://127.0.0.1:8080"),
            environment: .development,
            // Nephos says more of errors than Apple's service does; this is the default for such an address.
            service: .nephos,
            // Lets the app in.
            apiToken: variables["NEPHOS_API_TOKEN"],
            // A person's session. In an app people sign in; in tests the workflow has signed somebody in.
            webAuthToken: variables["NEPHOS_WEB_AUTH_TOKEN"],
            // In place of the tokens, for a program that acts as a server in the public database.
            serverKey: nil,
            // Where files that were fetched are kept, and how many bytes of them.
            cacheFolder: FileManager.default.temporaryDirectory.appending(path: "notes-files"),
            cacheLimit: 64 << 20,
            // What encryptedValues are encrypted with; every device of a person needs the same.
            passphrase: "only for tests",
            // What the app says of itself to be counted; nil to say nothing.
            app: AppReport(version: "1.0"))
        CKContainer.configure(configuration)
        return CKContainer.default()
    }()
}
