import Foundation

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// The contents of a cache's folder, while nobody else changes it.
struct CacheEntries {
    /// Space reserved for a download: an empty file whose name contains the size, and the growing partial file.
    struct Hold {
        let name: String
        let part: String
    }

    /// Older reservations were left by a process that died.
    private static let holdSeconds = 3_600.0

    private let folder: URL
    private var entries: [String: FileFacts] = [:]
    private var held: Int64 = 0

    init(_ folder: URL, _ now: Date) throws {
        self.folder = folder
        var (parts, heldParts): (Set<String>, Set<String>) = ([], [])
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) where name != FolderLock.name {
            // The cache creates no folders.
            guard let facts = FileFacts(path(name)) else { continue }
            switch name.prefix(5) {
            case "part-": parts.insert(name)
            case "hold-":
                let hold = Hold(name: name)
                if abs(now.timeIntervalSince(facts.changed)) > Self.holdSeconds {
                    try release(hold)
                } else {
                    held += hold.bytes
                    heldParts.insert(hold.part)
                    entries[name] = FileFacts(bytes: 0, changed: facts.changed)
                }
            default: entries[name] = facts
            }
        }
        // Partial files without a reservation: their process is gone.
        for part in parts.subtracting(heldParts) { try remove(part) }
    }

    var bytes: Int64 { entries.values.reduce(held) { $0 + $1.bytes } }
    var all: [String] { Array(entries.keys) }

    // MARK: Space

    /// Removes the least recently used files until there is room.
    mutating func makeRoom(_ bytes: Int64, _ maxBytes: Int64, keeping pinned: Set<String>) throws {
        var total = self.bytes
        let room = maxBytes - max(bytes, 0)
        guard total > room else { return }
        let free = entries.filter { !pinned.contains($0.key) && !$0.key.hasPrefix("hold-") }
        guard total - free.values.reduce(0, { $0 + $1.bytes }) <= room else {
            throw ContentFault(.tooLarge, "\(bytes) bytes do not fit into a cache of \(maxBytes) bytes")
        }
        for (name, entry) in free.sorted(by: { ($0.value.changed, $0.key) < ($1.value.changed, $1.key) }) {
            guard total > room else { return }
            try remove(name)
            total -= entry.bytes
        }
    }

    func hold(_ bytes: Int64, _ now: Date) throws -> Hold {
        let hold = Hold(bytes: bytes, id: UUID().uuidString)
        try Data().write(to: folder.appending(path: hold.name))
        try FileManager.default.setAttributes([.modificationDate: now], ofItemAtPath: path(hold.name))
        return hold
    }

    mutating func release(_ hold: Hold) throws {
        try remove(hold.part)
        try remove(hold.name)
    }

    // MARK: Files

    func write(_ data: Data, _ key: CacheKey, _ now: Date) throws {
        let part = path("part-\(UUID().uuidString)")
        do {
            try data.write(to: URL(fileURLWithPath: part))
            try move(part, key, now)
        } catch {
            unlink(part)
            throw error
        }
    }

    mutating func adopt(_ hold: Hold, _ size: Int64, _ key: CacheKey, _ now: Date) throws {
        let bytes = FileFacts(path(hold.part))?.bytes ?? 0
        guard bytes == size else {
            throw ContentFault(.unreadable, "a file has \(bytes) bytes instead of \(size)")
        }
        try move(path(hold.part), key, now)
        try remove(hold.name)
    }

    private func move(_ part: String, _ key: CacheKey, _ now: Date) throws {
        try FileManager.default.setAttributes([.modificationDate: now], ofItemAtPath: part)
        guard rename(part, path(key.name)) == 0 else { throw CocoaError(.fileWriteUnknown) }
    }

    mutating func remove(_ name: String) throws {
        guard unlink(path(name)) == 0 || errno == ENOENT else {
            throw CocoaError(.fileWriteUnknown)
        }
        entries[name] = nil
    }

    private func path(_ name: String) -> String { folder.appending(path: name).path }
}

extension CacheEntries.Hold {
    init(bytes: Int64, id: String) { (name, part) = ("hold-\(id)-\(bytes)", "part-\(id)") }

    init(name: String) {
        self.name = name
        part = "part-\(name.dropFirst(5).prefix(36))"
    }

    /// Larger sizes than any device has were not written by this code.
    var bytes: Int64 { min(Int64(name.split(separator: "-").last ?? "") ?? 0, 1 << 50) }
}
