import Audience
import CloudKitWire
import NephosDomain
import NephosRunner
import NephosStorage

/// The flags of containers, made ready, as long as nobody changes one.
typealias FlagMemory = TopicMemory<ReadyFlags>

extension FlagMemory {
    /// Requests that arrived so long before flags were read are answered with them, too.
    private static var lateness: Milliseconds { 60_000 }

    /// - Throws: `SectionFailure`, when flags are asked for, where the settings cannot be read.
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
            // More moments may lie in between than it knows ahead.
            if !ready.reaches(now) { ready = FlagSet(flags, audiences, now: now) }
            return ReadyFlags(set: ready, print: prints.withUnsafeBytes { xxHash64($0) })
        }
    }
}

/// The flags of a container, made ready, and a number that other flags or audiences do not have.
struct ReadyFlags: Sendable {
    let set: FlagSet
    let print: UInt64

    /// Another number when somebody has changed a flag or an audience, and when time alone has.
    func state(at now: Milliseconds) -> UInt64 {
        // Between two moments at which something changes the next one is the same, whenever a set was made ready.
        var words = (print.littleEndian, (set.nextEdge(after: now) ?? 0).littleEndian)
        return withUnsafeBytes(of: &words) { xxHash64($0) }
    }

    func print(of asker: FlagAsker, _ known: EvaluationContext, at now: Milliseconds) -> FlagPrint {
        FlagPrint(state: state(at: now), asker: asker.print(known))
    }
}

extension Bytes {
    fileprivate var print: UInt64 { withUnsafeBytes { xxHash64($0) } }
}
