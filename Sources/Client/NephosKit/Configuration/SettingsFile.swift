import Foundation

/// A `nephos.json`: settings for all containers, and under `containers` settings for single containers by ID.
struct SettingsFile: Sendable {
    private struct Document: Decodable {
        var container: String?
        var containers: [String: Members]?
    }

    private struct Members: Decodable {
        var serverURL, environment, service, apiToken, webAuthToken, keyID, privateKeyFile, cacheFolder: String?
        var cacheLimit: Int64?
        var readsUnsealedValues: Bool?
    }

    private let path: String
    private let document: Document
    private let members: Members

    /// Reads a file. Returns nil if the file does not exist.
    ///
    /// - Throws: ``ConfigurationFault`` for a file that cannot be read or whose contents are not valid.
    init?(_ url: URL) throws(ConfigurationFault) {
        path = url.path
        guard let bytes = try ConfigurationFile(path: path, kind: .settings).read().map({ Data($0) }) else {
            return nil
        }
        do {
            document = try JSONDecoder().decode(Document.self, from: bytes)
            members = try JSONDecoder().decode(Members.self, from: bytes)
        } catch {
            throw ConfigurationFault(message: "\(path) does not have the form that docs/client.md shows: \(error)")
        }
    }

    func configuration(of container: String?) throws(ConfigurationFault) -> NephosConfiguration {
        var common = try settings(members).configuration()
        common.containerIdentifier = document.container
        guard let id = container ?? document.container, let own = document.containers?[id] else { return common }
        return try settings(own).configuration().completed(by: common)
    }

    private func settings(_ members: Members) -> Settings {
        var settings = Settings(source: path)
        settings.serverURL = members.serverURL
        settings.environment = members.environment
        settings.service = members.service
        settings.apiToken = members.apiToken
        settings.webAuthToken = members.webAuthToken
        settings.keyID = members.keyID
        settings.cacheLimit = members.cacheLimit
        settings.readsUnsealedValues = members.readsUnsealedValues
        // Paths are relative to the folder of the file.
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
        settings.privateKeyFile = members.privateKeyFile.map { URL(fileURLWithPath: $0, relativeTo: folder).path }
        settings.cacheFolder = members.cacheFolder.map { URL(fileURLWithPath: $0, relativeTo: folder).path }
        return settings
    }
}
