import Foundation

/// Where fetched files are: one of its own for each field that holds one, the oldest removed when they are too many.
final class AssetFiles: Sendable {
    /// Younger files stay, however many they are: who fetched them has not looked at them yet.
    static let graceSeconds: TimeInterval = 600

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

    /// A place for a new file, in a folder that others may not look into.
    ///
    /// - Throws: What the system says when there can be none.
    func place() throws -> URL {
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        return folder.appendingPathComponent(UUID().uuidString)
    }

    /// Removes the oldest files until the rest is within the limit.
    func trim(now: Date = Date()) {
        lock.withLock { _ in
            let keys: Set<URLResourceKey> = [.fileSizeKey, .contentModificationDateKey]
            let urls =
                (try? FileManager.default.contentsOfDirectory(
                    at: folder, includingPropertiesForKeys: Array(keys))) ?? []
            var files: [(url: URL, size: Int64, date: Date)] = urls.compactMap { url in
                guard let values = try? url.resourceValues(forKeys: keys), let size = values.fileSize,
                    let date = values.contentModificationDate
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
