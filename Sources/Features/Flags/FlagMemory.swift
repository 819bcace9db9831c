import Audience
import CloudKitWire
import NephosDomain
import NephosRunner
import NephosStorage
import Synchronization

/// The flags of containers, made ready, as long as nobody changes one: a request reads the number of the last change, and takes what is
/// remembered of that number.
final class FlagMemory: Sendable {
    /// Which flags are meant: those of one version of the catalog, which has the audiences, and of one change.
    struct Generation: Sendable, Hashable {
        var catalog: Int64
        var change: Int64
    }

    private struct Entry {
        let generation: Generation
        let set: FlagSet
    }

    /// Containers whose flags are remembered; past this many all are read again.
    private static let tenantsMax = 256
    /// Pages of flags that may change while they are read, before it is given up.
    private static let attemptsMax = 5
    private static let pageRows = 500

    private let known = Mutex<[Tenant: Entry]>([:])

    /// What a request reads to know the generation.
    static var reading: ReadSet {
        var set = ReadSet()
        set.ask(NewsRow.of([Flags.topic]))
        return set
    }

    static func generation(_ reading: Reading) -> Generation {
        Generation(
            catalog: reading.catalog.version, change: reading[NewsRow.of([Flags.topic])].first?.number ?? 0)
    }

    /// Those that are remembered, where they hold at a moment.
    func set(_ generation: Generation, of tenant: Tenant, now: Milliseconds) -> FlagSet? {
        guard let entry = known.withLock({ $0[tenant] }), entry.generation == generation, entry.set.reaches(now) else {
            return nil
        }
        return entry.set
    }

    /// Reads all flags. May wait.
    func load(_ store: any TenantStore, _ runner: Runner, now: Milliseconds) throws -> (Generation, FlagSet) {
        for _ in 0..<Self.attemptsMax {
            guard let (generation, set) = try read(store, now) else { continue }
            known.withLock { known in
                if known.count >= Self.tenantsMax, known[store.tenant] == nil { known = [:] }
                known[store.tenant] = Entry(generation: generation, set: set)
            }
            return (generation, set)
        }
        throw StorageError.busy
    }

    /// - Returns: nil where somebody changed one meanwhile.
    private func read(_ store: any TenantStore, _ now: Milliseconds) throws -> (Generation, FlagSet)? {
        var generation: Generation?
        var flags: [(id: String, flag: Result<Flag, FlagFailure>)] = []
        var position: NameScan.Position?
        while true {
            var set = Self.reading
            let catalog = try store.read(set).catalog
            guard let name = try catalog.flagType(), let type = catalog.types[name]?.row.number else {
                return (Generation(catalog: catalog.version, change: 0), FlagSet([], .empty, now: now))
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
            return (found, FlagSet(flags, try catalog.value(of: .audiences) ?? .empty, now: now))
        }
    }
}
