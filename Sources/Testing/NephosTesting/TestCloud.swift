#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A whole cloud for tests: one server, and any number of containers and users.
///
/// Everything is created with the command while the server is running, as an operator would.
package final class TestCloud: Sendable {
    package let server: any TestServer
    private let made = SystemLocked((containers: 0, accounts: Set<String>()))

    package init(_ server: any TestServer) { self.server = server }

    /// Starts a server process with verbose logging, so that secrets in logs would be found.
    ///
    /// - Parameter store: The store; nil creates one, with the engine that the run tests.
    /// - Throws: ``ServerDidNotStart``, ``SystemError``.
    package convenience init(
        _ arguments: [String] = [], environment: [String: String] = [:], store: TestStore? = nil
    ) throws {
        self.init(
            try ServerProcess(
                arguments, environment: ["NEPHOS_LOG_LEVEL": "trace"].merging(environment) { $1 }, store: store))
    }

    /// The server, if it is a process. - Throws: ``SystemError`` if it is not.
    package var process: ServerProcess {
        get throws {
            guard let process = server as? ServerProcess else {
                throw SystemError("use a server inside this process as one of its own", code: ESRCH)
            }
            return process
        }
    }

    /// A new, empty container with an API token for one environment. - Throws: ``CommandFailure``.
    package func container(environment: String = "development") throws -> TestContainer {
        let number = made.withLock { made in
            made.containers += 1
            return made.containers
        }
        let id = "iCloud.test.container\(number)"
        try server.createContainer(id)
        return try TestContainer(id: id, environment: environment, cloud: self)
    }

    /// Creates an account, unless this cloud has already created it. - Throws: ``CommandFailure``.
    func ensureAccount(_ email: String, name: String) throws {
        try made.withLock { made in
            if made.accounts.contains(email) { return }
            try server.createAccount(email, name: name)
            made.accounts.insert(email)
        }
    }
}

/// One container in one environment, and an app's token for it.
package struct TestContainer: Sendable {
    package let id: String
    package let environment: String
    package let cloud: TestCloud
    package let apiToken: String

    /// - Parameter id: An existing container. - Throws: ``CommandFailure``.
    package init(id: String, environment: String = "development", cloud: TestCloud) throws {
        self.id = id
        self.environment = environment
        self.cloud = cloud
        apiToken = try cloud.server.createToken(id, environment)
    }

    /// Signs a user in; the account is created if it does not exist yet.
    ///
    /// - Returns: Their web auth token. - Throws: ``CommandFailure``.
    package func signIn(_ email: String, name: String = "Ada Lovelace") throws -> String {
        try cloud.ensureAccount(email, name: name)
        return try session(email)
    }

    /// Another session of an existing account. - Returns: Its web auth token. - Throws: ``CommandFailure``.
    package func session(_ email: String) throws -> String {
        try cloud.server.createSession(id, environment, email)
    }

    /// A new server-to-server key. - Throws: ``CommandFailure``.
    package func key() throws -> RequestSigner {
        let folder = try TemporaryFolder(prefix: "nephos-key")
        let file = folder.path + "/key.pem"
        let keyID = try cloud.server.command("key", "create", id, "--environment", environment, "--generate", file)
        return try RequestSigner(keyID: keyID, pem: String(decoding: try readFile(file), as: UTF8.self))
    }

    /// A client with these credentials, with its own connection.
    package func client(_ credentials: Credentials) -> CloudKitClient {
        let client = CloudKitClient(port: cloud.server.port, container: id, credentials: credentials)
        client.environment = environment
        return client
    }

    /// A client of a user who signs in now. - Throws: ``CommandFailure``.
    package func person(_ email: String, name: String = "Ada Lovelace") throws -> CloudKitClient {
        client(.person(apiToken: apiToken, webAuthToken: try signIn(email, name: name)))
    }

    /// A client of the app, without a user.
    package var app: CloudKitClient { client(.app(apiToken: apiToken)) }
}
