import CloudKitWire
import Crypto
import Foundation
import NephosTransport

/// The cache of fetched files: a separate file for each fetched field, in a folder for each person. The oldest files are removed when
/// the total size exceeds a limit.
final class AssetFiles: Sendable {
    /// Files younger than this are never removed by ``trim(now:)``: the program may not have read them yet.
    static let graceSeconds: TimeInterval = 600

    /// The name of the folder for files that were fetched while nobody was signed in.
    private static let signedOut = "nobody"

    private let folder: URL
    private let limit: Int64
    private let lock = Locked(())

    init(_ configuration: NephosConfiguration?, container: String) {
        let caches =
            FileManager.default.urls(for: .cachesDirectory, in: .userDomainMask).first
            ?? FileManager.default.temporaryDirectory
        let base = configuration?.cacheFolder ?? caches.appendingPathComponent("nephos")
        let name = container.map { $0.isLetter || $0.isNumber || $0 == "." || $0 == "-" ? $0 : "_" }
        folder = base.appendingPathComponent(String(name)).appendingPathComponent("files")
        limit = configuration?.cacheLimit ?? 512 << 20
    }

    /// Returns the URL of a new file of a person, in a folder that other users of the system cannot open.
    ///
    /// - Parameter person: The name of their user record; nil for nobody.
    /// - Throws: The system's error if the folder cannot be created.
    func place(for person: String?) throws -> URL {
        let folder = folder.appendingPathComponent(person.map(Self.name) ?? Self.signedOut)
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        return folder.appendingPathComponent(UUID().uuidString)
    }

    /// Removes all files of a person, regardless of their age.
    ///
    /// - Parameter person: The name of their user record; nil if it is unknown: the files of all people are removed, but not those
    ///   that were fetched while nobody was signed in.
    func remove(of person: String?) {
        lock.withLock { _ in
            let manager = FileManager.default
            let folders = (try? manager.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)) ?? []
            for folder in folders {
                let name = folder.lastPathComponent
                if person.map({ name == Self.name(of: $0) }) ?? (name != Self.signedOut) {
                    try? manager.removeItem(at: folder)
                }
            }
        }
    }

    /// The name of a person's folder: a hash, so that no server can choose a path outside of the cache.
    private static func name(of person: String) -> String {
        Hexadecimal.text(SHA256.hash(data: Data(person.utf8)).prefix(16))
    }

    /// Removes the oldest files until the others are within the limit.
    func trim(now: Date = Date()) {
        lock.withLock { _ in
            let keys: Set<URLResourceKey> = [.isRegularFileKey, .fileSizeKey, .contentModificationDateKey]
            let found = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: Array(keys))?.allObjects
            var files: [(url: URL, size: Int64, date: Date)] = (found ?? []).compactMap { found in
                guard let url = found as? URL, let values = try? url.resourceValues(forKeys: keys),
                    values.isRegularFile == true, let size = values.fileSize, let date = values.contentModificationDate
                else { return nil }
                return (url, Int64(size), date)
            }
            var total = files.reduce(0) { $0 + $1.size }
            files.sort { $0.date < $1.date }
            for file in files where total > limit && now.timeIntervalSince(file.date) > Self.graceSeconds {
                try? FileManager.default.removeItem(at: file.url)
                total -= file.size
            }
        }
    }
}
