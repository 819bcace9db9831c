import Foundation

/// `nephos-credentials.json` in the user's configuration folder: secrets by server, container and environment. A file that other
/// users may read is refused.
struct CredentialsFile: Sendable {
    struct Place: Sendable {
        var server: URL
        var container: String
        var environment: NephosConfiguration.Environment

        /// The key in the file.
        var text: String { Self.text(server, "\(container) \(environment.rawValue)") }

        /// Returns a key of the file with its address in canonical form. Text that is not a valid key is returned unchanged.
        fileprivate static func text(_ written: String) -> String {
            let parts = written.split(separator: " ", maxSplits: 1)
            guard parts.count == 2, let server = URL(string: String(parts[0])) else { return written }
            return text(server, String(parts[1]))
        }

        private static func text(_ server: URL, _ rest: String) -> String { "\(server.plainAddress) \(rest)" }
    }

    struct Entry: Codable, Sendable, Equatable {
        var apiToken, webAuthToken, keyID, privateKey, passphrase: String?

        /// Returns this entry with its missing members taken from another.
        fileprivate func completed(by other: Entry) -> Entry {
            Entry(
                apiToken: apiToken ?? other.apiToken, webAuthToken: webAuthToken ?? other.webAuthToken,
                keyID: keyID ?? other.keyID, privateKey: privateKey ?? other.privateKey,
                passphrase: passphrase ?? other.passphrase)
        }
    }

    struct Contents: Sendable {
        fileprivate(set) var entries: [String: Entry] = [:]

        init() {}

        /// Merges entries whose addresses are equivalent. The entry with the canonical address takes precedence.
        fileprivate init(_ written: [String: Entry]) {
            let sorted = written.sorted { $0.key < $1.key }
            for (key, entry) in sorted where Place.text(key) == key { entries[key] = entry }
            for (key, entry) in sorted where Place.text(key) != key {
                let same = Place.text(key)
                entries[same] = entries[same]?.completed(by: entry) ?? entry
            }
        }

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

    /// Creates a value for the file in a folder. A symbolic link is resolved, so that an update replaces its target and keeps the link.
    init(folder: URL) { url = folder.appendingPathComponent("nephos-credentials.json").resolvingSymlinksInPath() }

    /// Returns the entries of the file; none if the file does not exist.
    ///
    /// - Throws: ``ConfigurationFault`` for a file that cannot be read, that other users have access to, or whose contents are not valid.
    func read() throws(ConfigurationFault) -> Contents {
        guard let bytes = try ConfigurationFile(path: url.path, kind: .secret).read() else { return Contents() }
        guard let entries = try? JSONDecoder().decode([String: Entry].self, from: Data(bytes)) else {
            throw ConfigurationFault(message: "\(url.path) does not have the form that docs/client.md shows")
        }
        if let half = entries.first(where: { ($0.value.keyID == nil) != ($0.value.privateKey == nil) }) {
            throw ConfigurationFault(
                message:
                    "\(url.path): the key of '\(half.key)' is incomplete: set both keyID and privateKey, or neither")
        }
        return Contents(entries)
    }

    /// Changes the secrets of one place. Those of other places stay as they are; the file is replaced as a whole. May block:
    /// updates at the same time, in this or another process, wait for each other.
    ///
    /// - Throws: ``ConfigurationFault`` for a file that cannot be read or written, or whose contents are not valid.
    func update(_ place: Place, _ change: (inout Entry) -> Void) throws(ConfigurationFault) {
        let folder = url.deletingLastPathComponent()
        try? FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let lock = open(
            folder.appendingPathComponent(".nephos-credentials.lock").path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard lock >= 0 else { throw unwritable }
        // On a file system without locks, the last update wins.
        _ = flock(lock, LOCK_EX)
        defer { close(lock) }
        var entries = try read().entries
        let old = entries[place.text] ?? Entry()
        var entry = old
        change(&entry)
        guard entry != old else { return }
        entries[place.text] = entry
        try replace(by: entries)
    }

    private func replace(by entries: [String: Entry]) throws(ConfigurationFault) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        let fresh = url.deletingLastPathComponent().appendingPathComponent(".nephos-credentials-\(UUID().uuidString)")
        // Created with the strictest mode, so that other users can never read it.
        let descriptor = open(fresh.path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw unwritable }
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        do {
            try keepGroup(descriptor)
            try file.write(contentsOf: encoder.encode(entries))
            // Written to the disk before it replaces the existing file.
            try file.synchronize()
            guard rename(fresh.path, url.path) == 0 else { throw unwritable }
        } catch {
            unlink(fresh.path)
            throw unwritable
        }
    }

    /// Lets a group read the new file if it may read the existing one, as a service's user does that belongs to the group of a file of
    /// root (``ConfigurationFile/Kind/secret``).
    ///
    /// - Parameter descriptor: The new file, which is empty.
    private func keepGroup(_ descriptor: Int32) throws(ConfigurationFault) {
        var existing = stat()
        guard geteuid() == 0, lstat(url.path, &existing) == 0, existing.st_uid == 0, existing.st_mode & S_IRGRP != 0
        else { return }
        guard fchown(descriptor, 0, existing.st_gid) == 0, fchmod(descriptor, 0o640) == 0 else { throw unwritable }
    }

    private var unwritable: ConfigurationFault {
        ConfigurationFault(message: "\(url.path) cannot be written: check its folder")
    }
}

extension URL {
    /// The address of a server in canonical form: scheme and host in lower case, without the default port, and without slashes at
    /// the end.
    fileprivate var plainAddress: String {
        guard var parts = URLComponents(url: self, resolvingAgainstBaseURL: true) else { return absoluteString }
        parts.scheme = parts.scheme?.lowercased()
        parts.host = parts.host?.lowercased()
        if parts.port == (parts.scheme == "https" ? 443 : 80) { parts.port = nil }
        while parts.percentEncodedPath.hasSuffix("/") { parts.percentEncodedPath.removeLast() }
        return parts.string ?? absoluteString
    }
}
