public import Foundation

/// Where a container is, and who asks: a server's address, an environment, and credentials.
///
/// Every member that is nil is looked for elsewhere: in what ``CKContainer/configure(_:)`` was given, in the environment
/// variables, in `nephos.json` beside the program, in `nephos.json` in the user's configuration folder, and in the file of
/// credentials there. The first that has it counts, member by member. docs/client.md lists them.
public struct NephosConfiguration: Sendable {
    /// Which of a container's two environments.
    public enum Environment: String, Sendable {
        /// The schema may change while the app is developed.
        case development
        /// The schema is what was deployed last.
        case production
    }

    /// Whether the service is one of ours, which tells more of errors and feeds than Apple's does.
    public enum Service: String, Sendable {
        /// A Nephos server.
        case nephos
        /// Apple's CloudKit Web Services.
        case apple
    }

    /// The id of ``CKContainer/default()``.
    public var containerIdentifier: String?
    /// Such as `http://127.0.0.1:8080`; Apple's own service is `https://api.apple-cloudkit.com`.
    public var serverURL: URL?
    /// Development, unless somebody says otherwise.
    public var environment: Environment?
    /// By default Apple's for its own address, and ours for every other.
    public var service: Service?
    /// Lets the app in.
    public var apiToken: String?
    /// A person's session, as `nephos session create` prints it, or as a sign-in page does.
    public var webAuthToken: String?
    /// Lets a server in, in place of tokens.
    public var serverKey: ServerKey?
    /// Where fetched files are kept. By default `nephos` in the user's folder of caches.
    public var cacheFolder: URL?
    /// How many bytes of fetched files are kept; 512 MB by default. Files that are younger than ten minutes stay in any case.
    public var cacheLimit: Int64?
    /// What ``CKRecord/encryptedValues`` are encrypted with. It never leaves this program. All devices of a person need the same.
    public var passphrase: String?
    /// What the app says of itself with its requests to one of our servers; it says nothing without it.
    public var app: AppReport?

    /// Sets members; what is left out is looked for elsewhere, as the type's overview says. Nothing is read or checked
    /// before a container makes its first request.
    public init(
        containerIdentifier: String? = nil, serverURL: URL? = nil, environment: Environment? = nil,
        service: Service? = nil, apiToken: String? = nil, webAuthToken: String? = nil, serverKey: ServerKey? = nil,
        cacheFolder: URL? = nil, cacheLimit: Int64? = nil, passphrase: String? = nil, app: AppReport? = nil
    ) {
        self.containerIdentifier = containerIdentifier
        self.serverURL = serverURL
        self.environment = environment
        self.service = service
        self.apiToken = apiToken
        self.webAuthToken = webAuthToken
        self.serverKey = serverKey
        self.cacheFolder = cacheFolder
        self.cacheLimit = cacheLimit
        self.passphrase = passphrase
        self.app = app
    }

    /// Takes from another what is missing here.
    func completed(by other: NephosConfiguration) -> NephosConfiguration {
        NephosConfiguration(
            containerIdentifier: containerIdentifier ?? other.containerIdentifier,
            serverURL: serverURL ?? other.serverURL, environment: environment ?? other.environment,
            service: service ?? other.service, apiToken: apiToken ?? other.apiToken,
            // A key and a session are two answers to one question: who gives one has decided.
            webAuthToken: webAuthToken ?? (serverKey == nil ? other.webAuthToken : nil),
            serverKey: serverKey ?? (webAuthToken == nil ? other.serverKey : nil),
            cacheFolder: cacheFolder ?? other.cacheFolder, cacheLimit: cacheLimit ?? other.cacheLimit,
            passphrase: passphrase ?? other.passphrase, app: app ?? other.app)
    }
}

/// A server-to-server key: signs requests to the public database.
public struct ServerKey: Sendable {
    /// The ID of the key, as the server printed it when the key was registered.
    public var keyID: String
    /// The private half: PEM of a P-256 key, as `nephos key create --generate` writes it.
    public var pem: String

    /// Keeps a key. A PEM text that cannot be read fails every request with `missingEntitlement`.
    public init(keyID: String, pem: String) {
        self.keyID = keyID
        self.pem = pem
    }
}
