public import Foundation
import NephosTransport

/// Items and their files in a folder that an app and its extensions share: never more than so many bytes, and what was not used for the
/// longest time goes first.
///
/// Everything in it is replaced as a whole, so each process sees what was there before or after, and whoever has a file open reads it to its
/// end, whatever becomes of the folder. What is missing or cannot be read counts as none.
public final class ContentCache: Sendable {
    public let folder: URL
    /// Lengths of all files together, with room for what is on its way.
    public let maxBytes: Int64
    private let now: @Sendable () -> Date
    /// What this process does not let go now, and how often.
    private let pins = Locked<[String: Int]>([:])

    /// - Parameters:
    ///   - folder: The cache's own, made when something is kept. Whatever else lies in it may be removed.
    ///   - maxBytes: Each process that shares it says the same.
    public convenience init(folder: URL, maxBytes: Int64 = 50 << 20) {
        self.init(folder: folder, maxBytes: maxBytes, now: { Date() })
    }

    package init(folder: URL, maxBytes: Int64, now: @escaping @Sendable () -> Date) {
        (self.folder, self.maxBytes, self.now) = (folder, max(maxBytes, 0), now)
    }

    #if canImport(Darwin)
        /// In the container of an app group, which the app and its widget share; nil where this program is not in the group.
        public convenience init?(group: String, maxBytes: Int64 = 50 << 20) {
            let container = FileManager.default.containerURL(forSecurityApplicationGroupIdentifier: group)
            guard let container else { return nil }
            self.init(folder: container.appending(path: "Library/Caches/PublishedContent"), maxBytes: maxBytes)
        }
    #endif

    /// Bytes that are taken, with room for what is on its way.
    public var bytes: Int64 { (try? locked { $0.bytes }) ?? 0 }

    /// Removes everything, as one may want when somebody signs out. What is on its way is not kept.
    public func removeAll() throws(ContentFault) {
        try locked { entries in
            for file in entries.all { try entries.remove(file) }
        }
    }

    // MARK: Reading

    /// What is under a key; nil for nothing.
    ///
    /// - Parameter isUse: Whether it is the last that goes now.
    func read(_ key: CacheKey, isUse: Bool = true) -> Data? {
        let url = url(key.name)
        guard let data = try? Data(contentsOf: url) else { return nil }
        if isUse { use(url) }
        return data
    }

    /// Where a file is; nil where it is not there as a whole.
    func file(_ key: CacheKey, size: Int64) -> URL? {
        let url = url(key.name)
        guard FileFacts(url.path)?.bytes == size else { return nil }
        use(url)
        return url
    }

    /// Keys of a kind, in no order.
    func keys(_ prefix: String) -> [CacheKey] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.filter { $0.hasPrefix(prefix) }.map { CacheKey(name: $0) }
    }

    /// When it was used last is when the file was changed last, for all processes.
    private func use(_ url: URL) {
        try? FileManager.default.setAttributes([.modificationDate: now()], ofItemAtPath: url.path)
    }

    // MARK: Keeping

    /// Keeps something, and makes room for it. What is there already is not written.
    ///
    /// - Returns: The bytes that were written.
    /// - Throws: `tooLarge` where there is no room, `notStored` where it cannot be written.
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

    /// Keeps a file that `bring` puts where it is told. Its room is taken before it comes.
    ///
    /// - Parameter size: Of the file: another is not kept.
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
            // The room is free again whatever failed; should even that fail, it is after an hour.
            try? locked { entries in try entries.release(hold) }
            throw error
        }
    }

    /// Keeps this process from making room by what is used now.
    func pin(_ keys: [CacheKey]) { pins.withLock { pins in for key in keys { pins[key.name, default: 0] += 1 } } }

    func unpin(_ keys: [CacheKey]) {
        pins.withLock { pins in for key in keys { pins[key.name] = pins[key.name].flatMap { $0 > 1 ? $0 - 1 : nil } } }
    }

    private var pinned: Set<String> { pins.withLock { Set($0.keys) } }

    private func url(_ name: String) -> URL { folder.appending(path: name) }

    /// Does something while no other process changes the folder.
    private func locked<Value>(_ body: (inout CacheEntries) throws -> Value) throws(ContentFault) -> Value {
        do {
            return try FolderLock.locked(folder) {
                var entries = try CacheEntries(folder, now())
                return try body(&entries)
            }
        } catch let fault as ContentFault {
            throw fault
        } catch {
            throw ContentFault(.notStored, "nothing can be kept in \(folder.path): \(error)")
        }
    }
}
