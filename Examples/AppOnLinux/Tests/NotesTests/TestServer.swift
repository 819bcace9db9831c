import CloudKit

/// The server that the workflow started.
enum TestServer {
    static let container: CKContainer = {
        let variables = ProcessInfo.processInfo.environment
        let configuration = NephosConfiguration(
            // The container that CKContainer.default() returns.
            containerIdentifier: "iCloud.com.example.notes",
            serverURL: URL(string: variables["NEPHOS_URL"] ?? "http://127.0.0.1:8080"),
            environment: .development,
            // Nephos's errors have more detail than those of Apple's service; this is the default for such an address.
            service: .nephos,
            // Identifies the app.
            apiToken: variables["NEPHOS_API_TOKEN"],
            // A person's session. In an app people sign in; for tests the workflow has signed a person in.
            webAuthToken: variables["NEPHOS_WEB_AUTH_TOKEN"],
            // Instead of the tokens, for a program that acts as a server in the public database.
            serverKey: nil,
            // The folder for fetched files, and their maximum size in bytes.
            cacheFolder: FileManager.default.temporaryDirectory.appending(path: "notes-files"),
            cacheLimit: 64 << 20,
            // The passphrase for encryptedValues; all devices of a person need the same.
            passphrase: "only for tests",
            // What the app reports to be counted; nil to report nothing.
            app: AppReport(version: "1.0"))
        CKContainer.configure(configuration)
        return CKContainer.default()
    }()
}
