import CloudKitWire
import NephosDomain
import NephosRunner
import NephosStorage
import Synchronization

/// Caches the prepared groups of content types until one is changed: a request reads the row of the type's index, and uses the
/// cached version if it matches.
final class PickCache: Sendable {
    /// Types whose groups are cached; beyond this, one is removed for each new one.
    private static let typesMax = 256

    private struct Key: Hashable {
        let tenant: Tenant
        let type: TypeNumber
        /// A container that was deleted and created again has another key.
        let signingKey: [UInt8]
    }

    /// Tags of recent responses.
    let tags = ResponseTags()
    private let known = Mutex<[Key: PickDirectory]>([:])

    /// The groups cached last, whether current or not (``PickDirectory/holds(_:_:at:)``).
    func last(_ type: TypeNumber, _ catalog: Catalog, of tenant: Tenant) -> PickDirectory? {
        known.withLock { $0[Key(tenant: tenant, type: type, signingKey: catalog.head.signingKey)] }
    }

    /// Reads the stored groups. May block.
    ///
    /// - Returns: nil for a type that is not sorted yet.
    /// - Throws: `SectionFailure` if the settings cannot be read.
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

/// The tags of recent responses, by all that they were made from.
///
/// A tag is made from what a response says, so that it tells nothing else: what a response is made from also changes with records
/// that its reader may not see. With this cache a process still knows, before it makes a response, that a client has it already.
final class ResponseTags: Sendable {
    /// Beyond this, one is forgotten for each new one.
    private let most = 4_096
    private let tags = Mutex<[ContentForm.Source: String]>([:])

    /// The tag of a response that was made from the same; nil if it is not cached.
    func tag(of source: ContentForm.Source) -> String? { tags.withLock { $0[source] } }

    func store(_ tag: String, of source: ContentForm.Source) {
        tags.withLock { tags in
            if tags[source] == nil, tags.count >= most, let one = tags.keys.first { tags[one] = nil }
            tags[source] = tag
        }
    }
}
