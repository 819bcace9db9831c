import Foundation

/// `nephos-credentials.json` in the user's configuration folder: secrets by server, container and environment. Only its owner
/// may read it.
struct CredentialsFile: Sendable {
    struct Place: Sendable, Hashable {
        var server: URL
        var container: String
        var environment: NephosConfiguration.Environment

        /// The key in the file.
        var text: String { "\(server.absoluteString) \(container) \(environment.rawValue)" }
    }

    struct Entry: Codable, Sendable {
        var apiToken, webAuthToken, keyID, privateKey, passphrase: String?
    }

    struct Contents: Sendable {
        fileprivate(set) var entries: [String: Entry] = [:]

        subscript(place: Place) -> NephosConfiguration? {
            entries[place.text].map { entry in
                var found = NephosConfiguration(
                    apiToken: entry.apiToken, webAuthToken: entry.webAuthToken, passphrase: entry.passphrase)
                if let id = entry.keyID, let key = entry.privateKey { found.serverKey = ServerKey(keyID: id, pem: key) }
                return found
            }
        }
    }

    let url: URL

    init(folder: URL) { url = folder.appendingPathComponent("nephos-credentials.json") }

    /// Nothing where there is no such file.
    ///
    /// - Throws: ``ConfigurationFault`` for a file that others may read, or that is something else.
    func read() throws(ConfigurationFault) -> Contents {
        guard FileManager.default.fileExists(atPath: url.path) else { return Contents() }
        guard let bytes = FileManager.default.contents(atPath: url.path) else {
            throw ConfigurationFault(message: "\(url.path) cannot be read: check its permissions")
        }
        let attributes = try? FileManager.default.attributesOfItem(atPath: url.path)
        let mode = (attributes?[.posixPermissions] as? NSNumber)?.intValue ?? 0
        guard mode & 0o077 == 0 else {
            throw ConfigurationFault(
                message: "\(url.path) holds secrets that others may read: run chmod 600 '\(url.path)'")
        }
        guard let entries = try? JSONDecoder().decode([String: Entry].self, from: bytes) else {
            throw ConfigurationFault(message: "\(url.path) is not as docs/client.md shows it")
        }
        return Contents(entries: entries)
    }

    /// Changes one place's secrets. Others stay as they are; the file is replaced as a whole.
    ///
    /// - Throws: ``ConfigurationFault``.
    func update(_ place: Place, _ change: (inout Entry) -> Void) throws(ConfigurationFault) {
        var entries = try read().entries
        var entry = entries[place.text] ?? Entry()
        change(&entry)
        entries[place.text] = entry
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        let folder = url.deletingLastPathComponent()
        let fresh = folder.appendingPathComponent(".nephos-credentials-\(UUID().uuidString)")
        do {
            try FileManager.default.createDirectory(
                at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            let bytes = try encoder.encode(entries)
            let isWritten = FileManager.default.createFile(
                atPath: fresh.path, contents: bytes, attributes: [.posixPermissions: 0o600])
            guard isWritten, rename(fresh.path, url.path) == 0 else {
                throw ConfigurationFault(message: "\(url.path) cannot be written: check its folder")
            }
        } catch let fault as ConfigurationFault {
            throw fault
        } catch {
            throw ConfigurationFault(message: "\(url.path) cannot be written: \(error)")
        }
    }
}
