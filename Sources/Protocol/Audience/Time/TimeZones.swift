#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// The time zones of the system (docs/audiences.md, "Times"). Its database is updated when a government changes a rule, which is often a
/// few weeks before the change, so what this program knows by itself is only for systems that have none.
enum TimeZones {
    /// - Parameter name: A name of the time zone database, such as `Europe/Berlin`.
    /// - Returns: nil for an unknown one.
    static func offsets(of name: String) -> ZoneOffsets? {
        if let known = cache.offsets(of: name) { return known }
        guard isName(name), let offsets = read(name, in: folder) else { return nil }
        cache.add(offsets, of: name)
        return offsets
    }

    /// Without the cache.
    ///
    /// - Parameter folder: That of a database. What it lacks is built in.
    static func read(_ name: String, in folder: String) -> ZoneOffsets? {
        func file(_ name: String) -> ZoneOffsets? {
            SmallFile.bytes(of: "\(folder)/\(name)").flatMap(ZoneFile.offsets)
        }
        if let found = file(name) { return found }
        // Some systems have former names, such as US/Pacific, in a package of its own.
        guard let zone = BuiltInZone.named(name) else { return nil }
        return zone.names.lazy.compactMap(file).first ?? zone.offsets
    }

    /// `TZDIR` names it for other programs, too.
    private static let folder: String = {
        let named = getenv("TZDIR").map { String(cString: $0) } ?? ""
        return named.isEmpty ? "/usr/share/zoneinfo" : named
    }()

    /// Whether a text may be the name of a file in the folder: of an area and a place, because an abbreviation is ambiguous, and not
    /// from the variants of the database.
    private static func isName(_ text: String) -> Bool {
        if text == "UTC" || text == "GMT" { return true }
        let words = text.split(separator: "/", omittingEmptySubsequences: false)
        return text.utf8.count <= 64 && words.count > 1 && !["posix", "right"].contains(words[0])
            && words.allSatisfy { word in
                !word.isEmpty
                    && word.utf8.allSatisfy { byte in
                        (byte | 0x20) &- UInt8(ascii: "a") < 26 || byte &- UInt8(ascii: "0") < 10
                            || "_-+".utf8.contains(byte)
                    }
            }
    }

    private static let cache = ZoneCache()
}

/// Time zones that this process has read, until it ends: clients name theirs with each request.
private final class ZoneCache: @unchecked Sendable {
    /// There are about 600 names, and on some systems their spelling does not matter.
    private static let zonesMax = 1_000

    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    /// Accessed only while the mutex is locked. (Swift's own requires newer systems than the kits do.)
    private var zones: [String: ZoneOffsets] = [:]

    init() {
        mutex.initialize(to: pthread_mutex_t())
        pthread_mutex_init(mutex, nil)
    }

    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    func offsets(of name: String) -> ZoneOffsets? {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return zones[name]
    }

    func add(_ offsets: ZoneOffsets, of name: String) {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        if zones.count < Self.zonesMax { zones[name] = offsets }
    }
}

/// A file of which the whole content is read.
private enum SmallFile {
    /// The largest of the database has less than 4 KB.
    private static let bytesMax = 65_536

    /// - Returns: nil if there is no such file, it cannot be read, or it is larger.
    static func bytes(of path: String) -> [UInt8]? {
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var isRead = false
        let bytes = [UInt8](unsafeUninitializedCapacity: bytesMax + 1) { bytes, count in
            while count < bytes.count {
                let room = UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(bytes)[count...])
                let got = read(file, room.baseAddress, room.count)
                if got < 0, errno == EINTR { continue }
                isRead = got == 0
                guard got > 0 else { return }
                count += got
            }
        }
        return isRead ? bytes : nil
    }
}
