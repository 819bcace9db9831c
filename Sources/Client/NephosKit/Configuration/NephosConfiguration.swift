public import Foundation

/// The settings of a container: the server's address, the environment, and the credentials.
///
/// A program passes a configuration to ``CKContainer/configure(_:)`` for all its containers, or to
/// ``CKContainer/init(identifier:configuration:)`` for one. Each member that is nil there is looked up in the environment
/// variables, in `nephos.json` next to the program, in `nephos.json` in the user's configuration folder, and in the credentials
/// file in that folder. For each member, the first of these places that has it is used. docs/client.md lists the settings.
public struct NephosConfiguration: Sendable {
    /// One of the two environments of a container.
    public enum Environment: String, Sendable {
        /// The schema may change while the app is developed.
        case development
        /// The schema is the one that was deployed last.
        case production
    }

    /// The kind of service. A Nephos server's responses have more detail about errors and changes than those of Apple's service.
    public enum Service: String, Sendable {
        /// A Nephos server.
        case nephos
        /// Apple's CloudKit Web Services.
        case apple
    }

    /// The ID of the container that ``CKContainer/default()`` returns.
    public var containerIdentifier: String?
    /// The address of the server, such as `http://127.0.0.1:8080`. That of Apple's service is `https://api.apple-cloudkit.com`.
    public var serverURL: URL?
    /// The container's environment; `development` by default.
    public var environment: Environment?
    /// The kind of service; by default `apple` for the address of Apple's service, and `nephos` for every other address.
    public var service: Service?
    /// The API token that authorizes the app.
    public var apiToken: String?
    /// The web auth token of a person's session, such as one that `nephos session create` prints or that a sign-in page returns.
    public var webAuthToken: String?
    /// The server-to-server key that authorizes a server, instead of tokens.
    public var serverKey: ServerKey?
    /// The folder in which fetched files are stored; by default `nephos` in the user's caches folder.
    public var cacheFolder: URL?
    /// The maximum number of bytes of fetched files to keep; 512 MB by default. Files that are younger than ten minutes are not
    /// removed to meet it.
    public var cacheLimit: Int64?
    /// The passphrase from which the key of ``CKRecord/encryptedValues`` is derived. It never leaves this program. All devices of a
    /// person need the same one.
    public var passphrase: String?
    /// Whether values of ``CKRecord/encryptedValues`` that were not encrypted with the passphrase are read as they are; `false` by
    /// default: with a passphrase such a value is an error of its record, since whoever stores the record can write it.
    public var readsUnsealedValues: Bool?
    /// What the app reports about itself with its requests to a Nephos server; nil to report nothing.
    public var app: AppReport?

    /// Creates a configuration. Members that are left out are looked up elsewhere, as the type's overview describes. Values are not
    /// checked here: with a setting that is not valid, every request of a container fails.
    public init(
        containerIdentifier: String? = nil, serverURL: URL? = nil, environment: Environment? = nil,
        service: Service? = nil, apiToken: String? = nil, webAuthToken: String? = nil, serverKey: ServerKey? = nil,
        cacheFolder: URL? = nil, cacheLimit: Int64? = nil, passphrase: String? = nil,
        readsUnsealedValues: Bool? = nil, app: AppReport? = nil
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
        self.readsUnsealedValues = readsUnsealedValues
        self.app = app
    }

    /// Returns this configuration with its missing members taken from another.
    func completed(by other: NephosConfiguration) -> NephosConfiguration {
        NephosConfiguration(
            containerIdentifier: containerIdentifier ?? other.containerIdentifier,
            serverURL: serverURL ?? other.serverURL, environment: environment ?? other.environment,
            service: service ?? other.service, apiToken: apiToken ?? other.apiToken,
            // A key and a session exclude each other: a source that sets one of them rules out the other in later sources.
            webAuthToken: webAuthToken ?? (serverKey == nil ? other.webAuthToken : nil),
            serverKey: serverKey ?? (webAuthToken == nil ? other.serverKey : nil),
            cacheFolder: cacheFolder ?? other.cacheFolder, cacheLimit: cacheLimit ?? other.cacheLimit,
            passphrase: passphrase ?? other.passphrase,
            readsUnsealedValues: readsUnsealedValues ?? other.readsUnsealedValues, app: app ?? other.app)
    }
}

/// A server-to-server key, which signs requests to the public database.
public struct ServerKey: Sendable {
    /// The ID of the key, as the server printed it when the key was registered.
    public var keyID: String
    /// The private key: the PEM of a P-256 key, as `nephos key create --generate` writes it.
    public var pem: String

    /// Creates a key. With a PEM text that cannot be read, every request fails with `missingEntitlement`.
    public init(keyID: String, pem: String) {
        self.keyID = keyID
        self.pem = pem
    }
}
