import NephosRunner
import NephosStorage
import Synchronization

/// ``SiteKeyRow`` in the memory of one server: read once, and created by the first server that needs it.
final class SiteKey: Sendable {
    private let host: FeatureHost
    private let known = Mutex<[UInt8]?>(nil)

    init(_ host: FeatureHost) { self.host = host }

    /// May block.
    func bytes(at now: Milliseconds) throws -> [UInt8] {
        if let known = known.withLock({ $0 }) { return known }
        let made = SiteKeyRow(secret: Secret(host.randomSource.bytes(SiteKeyRow.bytes)), createdAt: now)
        var set = ReadSet()
        set.ask(SiteKeyRow.only)
        let row = try host.runner.engine.directory.commit(set) { reading -> Decision<SiteKeyRow> in
            let old = reading[SiteKeyRow.only].first
            if let old, old.secret.bytes != nil { return .write(WriteSet(), old) }
            var writes = WriteSet()
            writes.put(made, replacing: old)
            return .write(writes, made)
        }
        guard let bytes = row.secret.bytes else { throw StorageError.corrupt("people_key") }
        known.withLock { $0 = bytes }
        return bytes
    }
}
