import Audience
import CloudKitWire
import Crypto
import NephosDomain
import NephosRunner
import NephosStorage

/// The flags of containers, prepared and cached until one is changed.
typealias FlagCache = TopicCache<ReadyFlags>

extension FlagCache {
    /// Cached flags are also used for requests that arrived this long before they were read.
    private static var lateness: Milliseconds { 60_000 }

    /// - Throws: `SectionFailure`, when flags are requested, if the settings cannot be read.
    convenience init(_ indexes: IndexKeeper) {
        self.init(Flags.topic, holds: { $0.set.reaches($1) }) { store, set, catalog, now, isSame in
            var flags: [(id: String, flag: Result<Flag, FlagFailure>)] = []
            var prints = [catalog.sections[CatalogSection.audiences.name].map { $0.document.print } ?? 0]
            if let name = try catalog.flagType(), let type = catalog.types[name]?.row.number {
                var walk = TypeWalk(type)
                while let (records, reading) = try walk.next(store, set) {
                    guard isSame(reading) else { return nil }
                    for record in records {
                        flags.append((record.name.text, Result { () throws(FlagFailure) in try Flag(record) }))
                        prints += [record.name.bytes.print, record.fields.print]
                    }
                }
                walk.note(in: indexes, of: store, now: now)
            }
            let audiences = try catalog.audiences()
            var ready = FlagSet(flags, audiences, now: now - Self.lateness)
            // There may have been more changes in between than a set includes in advance.
            if !ready.reaches(now) { ready = FlagSet(flags, audiences, now: now) }
            return ReadyFlags(ready, prints, key: catalog.head.signingKey)
        }
    }
}

/// The prepared flags of a container, and a number that differs for other flags or audiences.
struct ReadyFlags: Sendable {
    let set: FlagSet
    private let digest: UInt64

    /// - Parameters:
    ///   - prints: Hashes of all flags and audiences.
    ///   - key: A secret of the container. Apps get a number that is made from the digest, and without the key nobody can check a
    ///     guess of a rule by it. It is the same on all servers.
    init(_ set: FlagSet, _ prints: [UInt64], key: [UInt8]) {
        self.set = set
        let bytes = prints.flatMap { print in withUnsafeBytes(of: print.littleEndian) { Array($0) } }
        let code = HMAC<SHA256>.authenticationCode(
            for: Array("state of flags".utf8) + bytes, using: SymmetricKey(data: key))
        digest = code.prefix(8).reduce(UInt64(0)) { ($0 << 8) | UInt64($1) }
    }

    /// A number that changes when a flag or an audience is edited, and when a schedule takes effect.
    func state(at now: Milliseconds) -> UInt64 {
        // Between two such changes the next one is the same, whenever the set was prepared.
        var words = (digest.littleEndian, (set.nextEdge(after: now) ?? 0).littleEndian)
        return withUnsafeBytes(of: &words) { xxHash64($0) }
    }

    func print(of caller: FlagCaller, _ known: EvaluationContext, at now: Milliseconds) -> FlagPrint {
        FlagPrint(state: state(at: now), caller: caller.print(known))
    }
}

extension Bytes {
    fileprivate var print: UInt64 { withUnsafeBytes { xxHash64($0) } }
}
