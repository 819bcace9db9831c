import Foundation
import NephosTesting

@testable import NephosKit

/// Folders in which a program looks for its configuration.
struct Places {
    private let folder: TemporaryFolder
    var beside: URL { URL(fileURLWithPath: folder.path).appendingPathComponent("program") }
    var user: URL { URL(fileURLWithPath: folder.path).appendingPathComponent("user") }
    var credentials: CredentialsFile { CredentialsFile(folder: user) }

    init() throws {
        folder = try TemporaryFolder()
        for url in [beside, user] {
            try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        }
    }

    /// The configuration found by a program here.
    func found(
        _ code: NephosConfiguration = NephosConfiguration(), environment: [String: String] = [:],
        of container: String? = "iCloud.a"
    ) throws(ConfigurationFault) -> NephosConfiguration {
        try ConfigurationSources(code: code, environment: environment, folders: [beside, user], userFolder: user)
            .configuration(of: container)
    }

    /// The error message of the configuration here; nil if there is none.
    func fault(
        _ code: NephosConfiguration = NephosConfiguration(), environment: [String: String] = [:]
    ) -> String? {
        do throws(ConfigurationFault) {
            _ = try found(code, environment: environment)
            return nil
        } catch {
            return error.message
        }
    }

    /// Writes the two files; one that is nil is removed.
    func write(beside: String?, user: String?) throws {
        for (folder, text) in [(self.beside, beside), (self.user, user)] {
            let url = folder.appendingPathComponent("nephos.json")
            try? FileManager.default.removeItem(at: url)
            if let text { try Data(text.utf8).write(to: url) }
        }
    }

    /// Writes a file next to the program.
    func write(_ path: String, _ text: String) throws {
        let url = beside.appendingPathComponent(path)
        try FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: url)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: url.path)
    }

    /// Stores secrets of a container in the credentials file.
    func credentials(
        _ server: String, _ environment: NephosConfiguration.Environment = .development, container: String = "iCloud.a",
        _ change: (inout CredentialsFile.Entry) -> Void
    ) throws {
        guard let url = URL(string: server) else { return }
        try credentials.update(
            CredentialsFile.Place(server: url, container: container, environment: environment), change)
    }
}
