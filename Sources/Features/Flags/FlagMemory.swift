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

    private struct Entry {
        let generation: Generation
        let set: FlagSet
    }

    /// Containers whose flags are remembered; past this many, one is forgotten for each that comes.
    private static let tenantsMax = 256
    /// Pages of flags that may change while they are read, before it is given up.
    private static let attemptsMax = 5
    private static let pageRows = 500
    /// Requests that arrived so long before flags were read are answered with them, too.
    private static let lateness: Milliseconds = 60_000

    private let known = Mutex<[Tenant: Entry]>([:])
    /// Held while flags are read, so that of many requests one reads.
    private let reading = Mutex<Void>(())

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
        guard let entry = known.withLock({ $0[tenant] }), entry.generation == generation, entry.set.reaches(now) else {
            return nil
        }
        return entry.set
    }

    /// Reads all flags, unless somebody has done so meanwhile. May wait.
    func load(_ store: any TenantStore, _ wanted: Generation, now: Milliseconds) throws -> FlagSet {
        try reading.withLock { _ in
            if let set = set(wanted, of: store.tenant, now: now) { return set }
            for _ in 0..<Self.attemptsMax {
                guard let (generation, set) = try read(store, now) else { continue }
                known.withLock { known in
                    if known.count >= Self.tenantsMax, known[store.tenant] == nil, let one = known.keys.first {
                        known[one] = nil
                    }
                    known[store.tenant] = Entry(generation: generation, set: set)
                }
                return set
            }
            throw StorageError.busy
        }
    }

    /// - Returns: nil where somebody changed one meanwhile.
    private func read(_ store: any TenantStore, _ now: Milliseconds) throws -> (Generation, FlagSet)? {
        var generation: Generation?
        var flags: [(id: String, flag: Result<Flag, FlagFailure>)] = []
        var position: NameScan.Position?
        while true {
            var set = Self.reading
            let first = try store.read(set)
            let catalog = first.catalog
            guard let name = try catalog.flagType(), let type = catalog.types[name]?.row.number else {
                return (Self.generation(first), FlagSet([], .empty, now: now - Self.lateness))
            }
            set.names = [
                NameScan(
                    place: .zone(.name(Flags.database, defaultZoneName)), type: type, after: position,
                    limit: Self.pageRows)
            ]
            let reading = try store.read(set)
            let found = Self.generation(reading)
            guard found.catalog == catalog.version, generation.map({ $0 == found }) ?? true else { return nil }
            generation = found
            let page = reading.names.first
            flags += (page?.records ?? []).map { record in
                (record.name.text, Result { () throws(FlagFailure) in try Flag(record) })
            }
            position = page?.next
            guard position == nil else { continue }
            return (found, FlagSet(flags, try catalog.value(of: .audiences) ?? .empty, now: now - Self.lateness))
        }
    }
}
