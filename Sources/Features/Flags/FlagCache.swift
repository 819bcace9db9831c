import Audience
import CloudKitWire
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
            return ReadyFlags(set: ready, print: prints.withUnsafeBytes { xxHash64($0) })
        }
    }
}

/// The prepared flags of a container, and a hash that differs for other flags or audiences.
struct ReadyFlags: Sendable {
    let set: FlagSet
    let print: UInt64

    /// A number that changes when a flag or an audience is edited, and when a schedule takes effect.
    func state(at now: Milliseconds) -> UInt64 {
        // Between two such changes the next one is the same, whenever the set was prepared.
        var words = (print.littleEndian, (set.nextEdge(after: now) ?? 0).littleEndian)
        return withUnsafeBytes(of: &words) { xxHash64($0) }
    }

    func print(of caller: FlagCaller, _ known: EvaluationContext, at now: Milliseconds) -> FlagPrint {
        FlagPrint(state: state(at: now), caller: caller.print(known))
    }
}

extension Bytes {
    fileprivate var print: UInt64 { withUnsafeBytes { xxHash64($0) } }
}
