public import Foundation
import NephosTransport

/// Items and their files in a folder that an app and its extensions share, limited in bytes; the least recently used are removed
/// first.
///
/// Everything in it is replaced atomically, so each process sees the old or the new content, and an open file can be read to its
/// end even after its removal. What is missing or cannot be read counts as absent.
public final class ContentCache: Sendable {
    public let folder: URL
    /// Limit for the total size of all files, including space reserved for downloads.
    public let maxBytes: Int64
    private let now: @Sendable () -> Date
    /// What this process has pinned, with reference counts.
    private let pins = Locked<[String: Int]>([:])

    /// - Parameters:
    ///   - folder: The cache's own folder, created when something is stored. Anything else in it may be removed.
    ///   - maxBytes: Must be the same in each process that shares the cache.
    public convenience init(folder: URL, maxBytes: Int64 = 50 << 20) {
        self.init(folder: folder, maxBytes: maxBytes, now: { Date() })
    }

    package init(folder: URL, maxBytes: Int64, now: @escaping @Sendable () -> Date) {
        (self.folder, self.maxBytes, self.now) = (folder, max(maxBytes, 0), now)
    }

    #if canImport(Darwin)
        /// In the container of an app group, which the app and its widget share; nil if this program is not in the group.
        public convenience init?(group: String, maxBytes: Int64 = 50 << 20) {
            let container = FileManager.default.containerURL(forSecurityApplicationGroupIdentifier: group)
            guard let container else { return nil }
            self.init(folder: container.appending(path: "Library/Caches/PublishedContent"), maxBytes: maxBytes)
        }
    #endif

    /// Bytes in use, including space reserved for downloads.
    public var bytes: Int64 { (try? locked { $0.bytes }) ?? 0 }

    /// Removes everything, for example when a user signs out. Running downloads are not stored.
    public func removeAll() throws(ContentFault) {
        try locked { entries in
            for file in entries.all { try entries.remove(file) }
        }
    }

    // MARK: Reading

    /// The data of a key; nil if there is none.
    ///
    /// - Parameter isUse: Whether the read counts as use, which delays the removal of the entry.
    func read(_ key: CacheKey, isUse: Bool = true) -> Data? {
        let url = url(key.name)
        guard let data = try? Data(contentsOf: url) else { return nil }
        if isUse { use(url) }
        return data
    }

    /// The URL of a file; nil if it is not stored completely.
    func file(_ key: CacheKey, size: Int64) -> URL? {
        let url = url(key.name)
        guard FileFacts(url.path)?.bytes == size else { return nil }
        use(url)
        return url
    }

    /// Keys with a prefix, in no particular order.
    func keys(_ prefix: String) -> [CacheKey] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.filter { $0.hasPrefix(prefix) }.map { CacheKey(name: $0) }
    }

    /// The modification time of a file is the time of its last use, for all processes.
    private func use(_ url: URL) {
        try? FileManager.default.setAttributes([.modificationDate: now()], ofItemAtPath: url.path)
    }

    // MARK: Storing

    /// Stores data, and makes room for it. Data that is already stored is not written again.
    ///
    /// - Returns: The number of bytes written.
    /// - Throws: `tooLarge` if there is no room, `notStored` if it cannot be written.
    @discardableResult
    func write(_ data: Data, _ key: CacheKey) throws(ContentFault) -> Int64 {
        if read(key) == data { return 0 }
        return try locked { entries in
            try entries.makeRoom(Int64(data.count), maxBytes, keeping: pinned)
            try entries.write(data, key, now())
            return Int64(data.count)
        }
    }

    func remove(_ keys: [CacheKey]) throws(ContentFault) {
        guard !keys.isEmpty else { return }
        try locked { entries in for key in keys { try entries.remove(key.name) } }
    }

    /// Stores a file that `bring` writes to the URL that it is passed. Space for it is reserved first.
    ///
    /// - Parameter size: The size of the file; a file of another size is not stored.
    func adopt(
        _ key: CacheKey, size: Int64, _ bring: (URL) async throws(ContentFault) -> Void
    ) async throws(ContentFault) -> URL {
        let hold = try locked { entries in
            try entries.makeRoom(size, maxBytes, keeping: pinned)
            return try entries.hold(size, now())
        }
        do throws(ContentFault) {
            try await bring(url(hold.part))
            return try locked { entries in
                try entries.adopt(hold, size, key, now())
                return url(key.name)
            }
        } catch {
            // The reservation is released after any failure; if that fails as well, it expires after an hour.
            try? locked { entries in try entries.release(hold) }
            throw error
        }
    }

    /// Keeps this process from evicting entries that are in use.
    func pin(_ keys: [CacheKey]) { pins.withLock { pins in for key in keys { pins[key.name, default: 0] += 1 } } }

    func unpin(_ keys: [CacheKey]) {
        pins.withLock { pins in for key in keys { pins[key.name] = pins[key.name].flatMap { $0 > 1 ? $0 - 1 : nil } } }
    }

    private var pinned: Set<String> { pins.withLock { Set($0.keys) } }

    private func url(_ name: String) -> URL { folder.appending(path: name) }

    /// Runs `body` while no other process changes the folder.
    private func locked<Value>(_ body: (inout CacheEntries) throws -> Value) throws(ContentFault) -> Value {
        do {
            return try FolderLock.locked(folder) {
                var entries = try CacheEntries(folder, now())
                return try body(&entries)
            }
        } catch let fault as ContentFault {
            throw fault
        } catch {
            throw ContentFault(.notStored, "nothing can be saved in \(folder.path): \(error)")
        }
    }
}
