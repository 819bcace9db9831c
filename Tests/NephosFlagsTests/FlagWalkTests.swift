import CloudKitWire
import NephosEndpoints
import NephosRunner
import NephosStorage
import NephosTesting
import RequestTesting
import Testing

@testable import NephosFlags

/// docs/flags.md: flags are read by the index of their names, whatever else the database contains.
@Suite("Reading all flags") struct FlagWalkTests {
    /// More than one page of flags, among more records than are read without an index.
    private static let many = 510, others = 210

    private func cloud(_ meter: QueryMeter = QueryMeter(), flags: Int = many) async throws -> FlagCloud {
        let cloud = try await FlagCloud(meter: meter)
        let notes = (0..<Self.others).map { ("a-note-\($0)", ["text": "no flag"]) }
        #expect(try cloud.save(notes, of: "Note").allSatisfy(\.isEmpty))
        #expect(try cloud.save((0..<flags).map { FlagCloud.boolean("flag-\($0)") }).allSatisfy(\.isEmpty))
        return cloud
    }

    private func type(_ cloud: FlagCloud) throws -> TypeNumber {
        try #require(try cloud.store.read(ReadSet()).catalog.types["FeatureFlag"]?.row.number)
    }

    private func build(_ shapes: [IndexShape], _ cloud: FlagCloud) async throws {
        try await cloud.store.openIndexes(shapes, in: 1, at: 1)
        while try await cloud.store.buildIndexes(in: 1, rows: 500) {}
    }

    @Test("Without the index all flags are found, and the index is requested; with it no other record is read")
    func ways() async throws {
        let cloud = try await cloud()
        let type = try type(cloud)
        let plain = try cloud.store.flags(of: type).map(\.id)
        #expect(plain == (0..<Self.many).map { "flag-\($0)" }.sorted())

        var walk = TypeWalk(type)
        _ = try walk.next(cloud.store)
        #expect(walk.used.isEmpty && walk.wanted.count == 1)
        try await build(walk.wanted, cloud)

        #expect(try cloud.store.flags(of: type).map(\.id) == plain)
        var (again, looked) = (TypeWalk(type), 0)
        while let page = try again.next(cloud.store) { looked += page.reading.queries[0].examined }
        #expect(again.used.count == 1 && again.wanted.isEmpty)
        #expect(looked < Self.many + 10, "\(looked) rows for \(Self.many) flags")
    }

    @Test("An index that is removed while flags are read neither loses nor duplicates any")
    func dropped() async throws {
        let cloud = try await cloud()
        var walk = TypeWalk(try type(cloud))
        _ = try walk.next(cloud.store)
        try await build(walk.wanted, cloud)

        var (again, found) = (TypeWalk(try type(cloud)), [String]())
        while let page = try again.next(cloud.store) {
            found += page.records.map(\.name.text)
            try await cloud.store.dropIndexes(again.used, in: 1)
        }
        #expect(found == (0..<Self.many).map { "flag-\($0)" }.sorted())
    }

    @Test("A request for a flag starts building the index")
    func asked() async throws {
        let (rounds, built) = AsyncStream.makeStream(of: Bool.self)
        let meter = QueryMeter(built: { result in built.yield((try? result.get()) != nil) })
        let cloud = try await cloud(meter, flags: 2)
        #expect(try cloud.evaluate("flag-1").json["value"].bool == true)
        var ends = rounds.makeAsyncIterator()
        #expect(await ends.next() == true)

        var walk = TypeWalk(try type(cloud))
        _ = try walk.next(cloud.store)
        #expect(walk.used.count == 1)
        _ = try cloud.save([FlagCloud.boolean("flag-1", state: "off")])
        #expect(try cloud.evaluate("flag-1").json["value"].bool == false)

        // A dropped index is built again when it is needed next.
        try await cloud.store.dropIndexes(walk.used, in: 1)
        _ = try cloud.save([FlagCloud.boolean("flag-1", state: "on")])
        #expect(try cloud.evaluate("flag-1").json["value"].bool == true)
        #expect(await ends.next() == true)
    }
}
