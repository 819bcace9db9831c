import CloudKitWire
import NephosStorage
import StorageConformance
import Testing

@testable import NephosPostgres

/// How often a transaction waits for PostgreSQL: docs/decisions/0005, "Round trips are what counts".
@Suite struct RoundTripTests {
    private func roundTrips(_ cloud: Cloud, _ work: () async throws -> Void) async throws -> Int {
        let before = cloud.engine.roundTrips
        try await work()
        return cloud.engine.roundTrips - before
    }

    private func names(_ prefix: String, _ count: Int) -> [Name] { (0..<count).map { Name("\(prefix) \($0)") } }

    @Test("A save takes two round trips: one record or 200, new or changed, with references", arguments: [1, 200])
    func saves(count: Int) async throws {
        let cloud = try Cloud()
        let store = try cloud.store()
        let references = [ReferenceTarget(target: "somebody", kind: .none)]
        try await store.save(["first"])
        for _ in 0..<2 {
            let trips = try await roundTrips(cloud) {
                try await store.save(names("a", count), fields: Notes.text("hello"), references: references)
            }
            #expect(trips == 2)
        }
        #expect(try store.findings().isEmpty)
    }

    @Test("A client token is read with the zone, without a round trip of its own")
    func clientToken() async throws {
        let cloud = try Cloud()
        let store = try cloud.store()
        try await store.save(["first"])
        for token in [[1], [2], nil] as [[UInt8]?] {
            let trips = try await roundTrips(cloud) {
                try await store.commit(Notes.reading(["a"])) { reading in
                    var writes = try Notes.save(["a"], from: reading)
                    writes.zones[0].new.clientToken = token
                    return .write(writes, ())
                }
            }
            #expect(trips == 2)
        }
        #expect(try store.findings().isEmpty)
    }

    @Test("With indexes a save takes the same number, once their list is cached", arguments: [1, 200])
    func indexedSaves(count: Int) async throws {
        let cloud = try Cloud()
        let store = try cloud.store()
        let field = RecordField.field("text", .string, epoch: 0)
        let shapes = [
            IndexShape(type: Cloud.note, parts: [.value(.recordName)]),
            IndexShape(type: Cloud.note, parts: [.order(field, isDescending: false)]),
        ]
        try await store.openIndexes(shapes, in: 1, at: 1)
        while try await store.buildIndexes(in: nil, rows: 100) {}
        try await store.save(["first"], fields: Notes.text("first"))
        for text in ["one", "two"] {
            let trips = try await roundTrips(cloud) {
                try await store.save(names("a", count), fields: Notes.text(text))
            }
            #expect(trips == 2)
        }
        #expect(try store.findings().isEmpty)
    }

    @Test("A look for news takes one round trip, whatever the number of tenants")
    func news() async throws {
        let cloud = try Cloud()
        try Cloud.create("iCloud.other", in: cloud.engine)
        let stores = try [cloud.store(), cloud.store(container: "iCloud.other")]
        let topics = Dictionary(uniqueKeysWithValues: stores.map { ($0.tenant, Set([Topic("a", 1), Topic("b", 2)])) })
        for topics in [topics, topics.mapValues { _ in [] }] {
            let trips = try await roundTrips(cloud) { _ = try cloud.engine.news(of: topics) }
            #expect(trips == 1)
        }
    }

    @Test("A read by name takes one round trip")
    func reads() async throws {
        let cloud = try Cloud()
        let store = try cloud.store()
        try await store.save(names("a", 200))
        let trips = try await roundTrips(cloud) { _ = try store.read(Notes.reading(names("a", 200))) }
        #expect(trips == 1)
    }
}
