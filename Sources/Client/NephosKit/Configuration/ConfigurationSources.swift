import Foundation
import NephosTransport

/// The places where the settings of a container are looked up, in this order.
struct ConfigurationSources: Sendable {
    /// The configuration that the program passed.
    var code = NephosConfiguration()
    var environment: [String: String]
    /// The folders that may contain a `nephos.json`: the program's own, then the user's.
    var folders: [URL]
    /// The folder that contains `nephos-credentials.json`.
    var userFolder: URL

    /// Returns the sources of this process, with the configuration that the program passed.
    static func process(_ code: NephosConfiguration) -> ConfigurationSources {
        let environment = ProcessInfo.processInfo.environment
        let home = FileManager.default.homeDirectoryForCurrentUser
        let settings = environment["XDG_CONFIG_HOME"].flatMap { $0.hasPrefix("/") ? URL(fileURLWithPath: $0) : nil }
        let user = (settings ?? home.appendingPathComponent(".config")).appendingPathComponent("nephos")
        let program = Bundle.main.executableURL?.deletingLastPathComponent()
        return ConfigurationSources(
            code: code, environment: environment, folders: [program, user].compactMap { $0 }, userFolder: user)
    }

    /// Returns the settings of a container, combined from all sources; of the default container for nil.
    ///
    /// - Throws: ``ConfigurationFault`` for a source that cannot be read or that contains a setting that is not valid.
    func configuration(of container: String?) throws(ConfigurationFault) -> NephosConfiguration {
        var found = code.completed(by: try Self.variables(environment))
        for folder in folders {
            let file = folder.appendingPathComponent("nephos.json")
            guard let settings = try SettingsFile(file) else { continue }
            found = found.completed(by: try settings.configuration(of: container ?? found.containerIdentifier))
        }
        guard let id = container ?? found.containerIdentifier, let server = found.serverURL else { return found }
        let credentials = try CredentialsFile(folder: userFolder).read()
        let place = CredentialsFile.Place(
            server: server, container: id, environment: found.environment ?? .development)
        return found.completed(by: credentials[place] ?? NephosConfiguration())
    }

    private static func variables(_ all: [String: String]) throws(ConfigurationFault) -> NephosConfiguration {
        func value(_ name: String) -> String? { all[name].flatMap { $0.isEmpty ? nil : $0 } }
        var settings = Settings(source: "the environment")
        settings.names = [
            "serverURL": "NEPHOS_URL", "environment": "NEPHOS_ENVIRONMENT", "service": "NEPHOS_SERVICE",
            "keyID": "NEPHOS_KEY_ID", "privateKeyFile": "NEPHOS_PRIVATE_KEY",
        ]
        settings.containerIdentifier = value("NEPHOS_CONTAINER")
        settings.serverURL = value("NEPHOS_URL")
        settings.environment = value("NEPHOS_ENVIRONMENT")
        settings.service = value("NEPHOS_SERVICE")
        settings.apiToken = value("NEPHOS_API_TOKEN")
        settings.webAuthToken = value("NEPHOS_WEB_AUTH_TOKEN")
        settings.keyID = value("NEPHOS_KEY_ID")
        settings.privateKeyFile = value("NEPHOS_PRIVATE_KEY")
        settings.cacheFolder = value("NEPHOS_CACHE")
        settings.passphrase = value("NEPHOS_PASSPHRASE")
        return try settings.configuration()
    }
}

/// A setting or a file that is not valid. The message names its location and says what to do.
struct ConfigurationFault: Error, Sendable {
    var message: String
}

/// The members of a configuration as text, as they are written in a file or an environment variable.
struct Settings: Sendable {
    /// Where the settings are written, for messages.
    var source: String
    /// The names of members in that source, if they differ from the names here.
    var names: [String: String] = [:]
    var containerIdentifier, serverURL, environment, service, apiToken, webAuthToken: String?
    var keyID, privateKeyFile, cacheFolder, passphrase: String?
    var cacheLimit: Int64?
    var readsUnsealedValues: Bool?

    init(source: String) { self.source = source }

    func configuration() throws(ConfigurationFault) -> NephosConfiguration {
        var found = NephosConfiguration(
            containerIdentifier: containerIdentifier, apiToken: apiToken, webAuthToken: webAuthToken,
            cacheLimit: cacheLimit, passphrase: passphrase, readsUnsealedValues: readsUnsealedValues)
        if let serverURL {
            guard let url = URL(web: serverURL), url.user == nil, url.query == nil, url.fragment == nil else {
                throw fault("serverURL", serverURL, "set an address such as https://cloud.example.org")
            }
            found.serverURL = url
        }
        if let environment {
            guard let value = NephosConfiguration.Environment(rawValue: environment) else {
                throw fault("environment", environment, "set development or production")
            }
            found.environment = value
        }
        if let service {
            guard let value = NephosConfiguration.Service(rawValue: service) else {
                throw fault("service", service, "set nephos or apple")
            }
            found.service = value
        }
        if let cacheFolder { found.cacheFolder = URL(fileURLWithPath: cacheFolder) }
        if (keyID == nil) != (privateKeyFile == nil) {
            let (id, file) = (name("keyID"), name("privateKeyFile"))
            throw ConfigurationFault(
                message: "\(source): the key is incomplete: set both \(id) and \(file), or neither")
        }
        if let keyID, let privateKeyFile {
            guard let bytes = try ConfigurationFile(path: privateKeyFile, kind: .secret).read() else {
                throw fault("privateKeyFile", privateKeyFile, "the file does not exist or cannot be read")
            }
            found.serverKey = ServerKey(keyID: keyID, pem: String(decoding: bytes, as: UTF8.self))
        }
        return found
    }

    private func fault(_ member: String, _ value: String, _ advice: String) -> ConfigurationFault {
        ConfigurationFault(message: "\(source): \(name(member)) is '\(value)': \(advice)")
    }

    private func name(_ member: String) -> String { names[member] ?? member }
}
