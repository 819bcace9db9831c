import CloudKitWire
import NephosDomain
import NephosStorage
import Synchronization

/// The groups of types of content, made ready, as long as nobody changes one: a request reads the row of the type's index, and takes what is
/// remembered of its version.
final class PickMemory: Sendable {
    /// Types of which groups are remembered; past this many, one is forgotten for each that comes.
    private static let typesMax = 256

    private struct Key: Hashable {
        let tenant: Tenant
        let type: TypeNumber
        /// A container that was deleted and made again has another.
        let signingKey: [UInt8]
    }

    private let known = Mutex<[Key: PickDirectory]>([:])

    /// Those that were remembered last, whatever is stored by now (``PickDirectory/holds(_:_:at:)``).
    func last(_ type: TypeNumber, _ catalog: Catalog, of tenant: Tenant) -> PickDirectory? {
        known.withLock { $0[Key(tenant: tenant, type: type, signingKey: catalog.head.signingKey)] }
    }

    /// Reads those that are stored now. May wait.
    ///
    /// - Returns: nil for a type that is not sorted yet.
    /// - Throws: `SectionFailure` where the settings cannot be read.
    func load(_ type: TypeNumber, _ store: any TenantStore, now: Milliseconds) throws -> PickDirectory? {
        let (index, groups) = (PickIndexRow.of(type), PickGroupRow.all(of: type))
        var set = ReadSet()
        set.ask(index)
        set.ask(groups)
        let reading = try store.read(set)
        guard let row = reading[index].first else { return nil }
        let directory = try PickDirectory(row, reading[groups], reading.catalog, now: now)
        known.withLock { known in
            let key = Key(tenant: store.tenant, type: type, signingKey: reading.catalog.head.signingKey)
            if known[key] == nil, known.count >= Self.typesMax, let one = known.keys.first { known[one] = nil }
            known[key] = directory
        }
        return directory
    }
}
