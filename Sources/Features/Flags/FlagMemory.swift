import Audience
import CloudKitWire
import NephosDomain
import NephosRunner
import NephosStorage
import Synchronization

/// The flags of containers, made ready, as long as nobody changes one: a request reads the number of the last change, and takes what is
/// remembered of that number.
final class FlagMemory: Sendable {
    /// Which flags are meant: those of one version of the catalog, which has the audiences, and of one change. A container that was deleted
    /// and made again has another key.
    struct Generation: Sendable, Hashable {
        var catalog: Int64
        var change: Int64
        var signingKey: [UInt8]
    }

    /// What is remembered of one container.
    private final class Entry: Sendable {
        private let state = Mutex<(generation: Generation, flags: ReadyFlags)?>(nil)
        /// Held while flags are read, so that of many requests one reads.
        let turn = Mutex<Void>(())

        func flags(_ generation: Generation, now: Milliseconds) -> ReadyFlags? {
            state.withLock { state in
                guard let state, state.generation == generation, state.flags.set.reaches(now) else { return nil }
                return state.flags
            }
        }

        func remember(_ generation: Generation, _ flags: ReadyFlags) { state.withLock { $0 = (generation, flags) } }
    }

    /// Containers whose flags are remembered; past this many, one is forgotten for each that comes.
    private static let tenantsMax = 256
    /// How often flags may change while they are read, before it is given up.
    private static let attemptsMax = 5
    /// Requests that arrived so long before flags were read are answered with them, too.
    private static let lateness: Milliseconds = 60_000

    private let indexes: IndexKeeper
    private let entries = Mutex<[Tenant: Entry]>([:])

    init(_ indexes: IndexKeeper) { self.indexes = indexes }

    private static let news = NewsRow.of([Flags.topic])

    /// What a request reads to know the generation.
    static let reading = {
        var set = ReadSet()
        set.ask(news)
        return set
    }()

    static func generation(_ reading: Reading) -> Generation {
        Generation(
            catalog: reading.catalog.version, change: reading[news].first?.number ?? 0,
            signingKey: reading.catalog.head.signingKey)
    }

    /// Those that are remembered, where they hold at a moment.
    func flags(_ generation: Generation, of tenant: Tenant, now: Milliseconds) -> ReadyFlags? {
        entries.withLock { $0[tenant] }?.flags(generation, now: now)
    }

    /// Those that are stored now, remembered or read. May wait.
    ///
    /// - Throws: `SectionFailure` where the settings cannot be read.
    func current(_ store: any TenantStore, now: Milliseconds) throws -> ReadyFlags {
        let generation = Self.generation(try store.read(Self.reading))
        return try flags(generation, of: store.tenant, now: now) ?? load(store, now: now)
    }

    /// Reads all flags, unless somebody has done so meanwhile. May wait.
    ///
    /// - Throws: `SectionFailure` where the settings cannot be read.
    func load(_ store: any TenantStore, now: Milliseconds) throws -> ReadyFlags {
        let entry = entry(of: store.tenant)
        return try entry.turn.withLock { _ in
            // Somebody may have changed one while this waited, and whoever was before it has read that already.
            if let flags = entry.flags(Self.generation(try store.read(Self.reading)), now: now) { return flags }
            for _ in 0..<Self.attemptsMax {
                guard let (generation, flags) = try read(store, now) else { continue }
                entry.remember(generation, flags)
                return flags
            }
            throw StorageError.busy
        }
    }

    private func entry(of tenant: Tenant) -> Entry {
        entries.withLock { entries in
            if let entry = entries[tenant] { return entry }
            if entries.count >= Self.tenantsMax, let one = entries.keys.first { entries[one] = nil }
            let entry = Entry()
            entries[tenant] = entry
            return entry
        }
    }

    /// - Returns: nil where somebody changed one meanwhile.
    private func read(_ store: any TenantStore, _ now: Milliseconds) throws -> (Generation, ReadyFlags)? {
        let first = try store.read(Self.reading)
        let (catalog, generation) = (first.catalog, Self.generation(first))
        var flags: [(id: String, flag: Result<Flag, FlagFailure>)] = []
        var prints = [catalog.sections[CatalogSection.audiences.name].map { $0.document.print } ?? 0]
        if let name = try catalog.flagType(), let type = catalog.types[name]?.row.number {
            var walk = FlagWalk(type)
            while let (records, reading) = try walk.next(store, Self.reading) {
                guard Self.generation(reading) == generation else { return nil }
                for record in records {
                    flags.append((record.name.text, Result { () throws(FlagFailure) in try Flag(record) }))
                    prints += [record.name.bytes.print, record.fields.print]
                }
            }
            walk.note(in: indexes, of: store, now: now)
        }
        let audiences = try catalog.audiences()
        var set = FlagSet(flags, audiences, now: now - Self.lateness)
        // More moments may lie in between than it knows ahead.
        if !set.reaches(now) { set = FlagSet(flags, audiences, now: now) }
        return (generation, ReadyFlags(set: set, print: prints.withUnsafeBytes { xxHash64($0) }))
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
