import Audience
import CloudKitWire
import NephosDomain
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
        private let state = Mutex<(generation: Generation, set: FlagSet)?>(nil)
        /// Held while flags are read, so that of many requests one reads.
        let turn = Mutex<Void>(())

        func set(_ generation: Generation, now: Milliseconds) -> FlagSet? {
            state.withLock { state in
                guard let state, state.generation == generation, state.set.reaches(now) else { return nil }
                return state.set
            }
        }

        func remember(_ generation: Generation, _ set: FlagSet) { state.withLock { $0 = (generation, set) } }
    }

    /// Containers whose flags are remembered; past this many, one is forgotten for each that comes.
    private static let tenantsMax = 256
    /// How often flags may change while they are read, before it is given up.
    private static let attemptsMax = 5
    private static let pageRows = 500
    /// Requests that arrived so long before flags were read are answered with them, too.
    private static let lateness: Milliseconds = 60_000

    private let entries = Mutex<[Tenant: Entry]>([:])

    /// What a request reads to know the generation.
    static var reading: ReadSet {
        var set = ReadSet()
        set.ask(NewsRow.of([Flags.topic]))
        return set
    }

    static func generation(_ reading: Reading) -> Generation {
        Generation(
            catalog: reading.catalog.version, change: reading[NewsRow.of([Flags.topic])].first?.number ?? 0,
            signingKey: reading.catalog.head.signingKey)
    }

    /// Those that are remembered, where they hold at a moment.
    func set(_ generation: Generation, of tenant: Tenant, now: Milliseconds) -> FlagSet? {
        entries.withLock { $0[tenant] }?.set(generation, now: now)
    }

    /// Reads all flags, unless somebody has done so meanwhile. May wait.
    ///
    /// - Throws: `SectionFailure` where the settings cannot be read.
    func load(_ store: any TenantStore, _ wanted: Generation, now: Milliseconds) throws -> FlagSet {
        let entry = entry(of: store.tenant)
        return try entry.turn.withLock { _ in
            if let set = entry.set(wanted, now: now) { return set }
            for _ in 0..<Self.attemptsMax {
                guard let (generation, set) = try read(store, now) else { continue }
                entry.remember(generation, set)
                return set
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
    private func read(_ store: any TenantStore, _ now: Milliseconds) throws -> (Generation, FlagSet)? {
        let first = try store.read(Self.reading)
        let (catalog, generation) = (first.catalog, Self.generation(first))
        var flags: [(id: String, flag: Result<Flag, FlagFailure>)] = []
        if let name = try catalog.flagType(), let type = catalog.types[name]?.row.number {
            var set = Self.reading
            set.names = [
                NameScan(
                    place: .zone(.name(Flags.database, defaultZoneName)), type: type, limit: Self.pageRows)
            ]
            while true {
                let reading = try store.read(set)
                guard Self.generation(reading) == generation, let page = reading.names.first else { return nil }
                flags += page.records.map { record in
                    (record.name.text, Result { () throws(FlagFailure) in try Flag(record) })
                }
                guard let next = page.next else { break }
                set.names[0].after = next
            }
        }
        return (generation, FlagSet(flags, try catalog.value(of: .audiences) ?? .empty, now: now - Self.lateness))
    }
}
