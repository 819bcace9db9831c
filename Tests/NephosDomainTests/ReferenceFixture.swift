import CloudKitWire
import NephosStorage

@testable import NephosDomain

/// Decides deletions in the default zone of a private database, without an engine: the store's results are computed from a list of
/// references.
struct ReferenceFixture {
    struct Link: Hashable {
        var holder: String
        var kind: ReferenceKind
        var target: String
    }

    private let numbers: [String: RecordNumber]
    private var links: [ReferenceTarget: [RecordStub]] = [:]
    private let catalog: Catalog
    private static let user = UserID(high: 1, low: 1)
    private static let type: TypeNumber = 2

    init(_ names: [String], _ links: [Link]) {
        numbers = Dictionary(uniqueKeysWithValues: names.enumerated().map { ($1, RecordNumber($0 + 1)) })
        let tenant = Tenant(container: "iCloud.test", environment: .development)
        catalog = Catalog(
            head: CatalogHead(tenant: tenant, signingKey: .init(repeating: 1, count: 32), createdAt: 0),
            rows: TenantSeed.standard(tenant: tenant, signingKey: [], now: 0).rows
                + [.type(RecordTypeRow(number: Self.type, name: "Node"))])
        for link in links {
            guard let holder = stub(link.holder) else { continue }
            self.links[ReferenceTarget(target: Name(link.target), kind: link.kind), default: []].append(holder)
        }
    }

    private func stub(_ name: String) -> RecordStub? {
        guard let number = numbers[name] else { return nil }
        return RecordStub(
            database: 4, zone: 1, number: number, name: Name(name), tagSequence: number, type: Self.type, createdAt: 0,
            createdBy: Self.user, storedBytes: 10, referenceCount: 1, flags: [])
    }

    /// The response to a request that deletes these. - Throws: ``Refusal``.
    func delete(_ names: [String]) throws -> ModifyRecords.Answer {
        let operations = names.map { #"{"operationType":"forceDelete","record":{"recordName":"\#($0)"}}"# }
        let session = SessionRow(
            id: .init(repeating: 2, count: 16), user: Self.user, privateDatabase: 4,
            secret: .init(repeating: 3, count: 32), createdAt: 0, expiresAt: .max)
        let context = RequestContext(catalog: catalog, caller: .person(session), scope: .private, now: 9)
        let request = try RecordsModifyRequest(json: Bytes("{\"operations\":[\(operations.joined(separator: ","))]}"))
        let modify = try ModifyRecords(request, context: context) { "made-up" }
        var reading = Reading(catalog: catalog)
        load(modify.reading, into: &reading)
        var decision = try modify.decide(reading)
        while true {
            switch decision {
            case .need(let more, let resume):
                load(more, into: &reading)
                decision = try resume?(reading) ?? modify.decide(reading)
            case .write(_, let answer): return answer
            }
        }
    }

    private func load(_ set: ReadSet, into reading: inout Reading) {
        var head = HeadRow(database: 4, kind: .personal, owner: Self.user)
        head.sequence = 1_000_000
        head.recordNumber = 1_000_000
        reading.databases += set.databases.map { _ in head }
        reading.zones += set.zones.map { _ in
            ZoneRow(database: 4, number: 1, name: defaultZoneName, createdSequence: 1, changedSequence: 1, createdAt: 0)
        }
        reading.stubs += set.stubs.map { stub($0.name.text) }
        var left = set.referrerRowsMax
        for scan in set.referrers {
            let holders = links[ReferenceTarget(target: scan.target, kind: scan.kind)] ?? []
            let found = holders.prefix(min(scan.limit, left))
            left -= found.count
            reading.referrers.append(Array(found))
        }
        reading.cascades += set.cascades.map { scan in
            var edges: [CascadeEdge] = []
            var queue = scan.roots
            var seen = Set(queue)
            while let target = queue.popLast() {
                for holder in links[ReferenceTarget(target: target, kind: .deleteSelf)] ?? [] {
                    edges.append(CascadeEdge(target: target, record: holder))
                    if seen.insert(holder.name).inserted { queue.append(holder.name) }
                }
            }
            return Array(edges.prefix(scan.limit))
        }
    }
}
