import CloudKitWire
import Foundation
import NephosAdmin
import NephosRunner
import NephosSQLite
import NephosStorage
import NephosTesting
import RequestTesting
import Testing

/// A ``SmallCloud`` whose server has ``Feature/tally``.
struct RuleCloud {
    let cloud: SmallCloud
    let store: any TenantStore

    init() async throws {
        cloud = try await SmallCloud(features: [.tally])
        let schema = SmallCloud.schema.replacing("RECORD TYPE Note", with: Self.post + "RECORD TYPE Note")
        _ = try await cloud.administration.importSchema(Array(schema.utf8), into: SmallCloud.tenant)
        store = try #require(try cloud.engine.open(SmallCloud.tenant))
    }

    private static let post = """
        RECORD TYPE Post (
            "___recordID" REFERENCE QUERYABLE,
            opens TIMESTAMP QUERYABLE SORTABLE,
            ends TIMESTAMP,
            GRANT WRITE TO "_creator",
            GRANT CREATE TO "_icloud",
            GRANT READ TO "_world"
        );

        """

    /// A request, and its response as JSON.
    func ask(
        _ endpoint: String, _ body: String, _ scope: String = "public", as caller: SmallCloud.Caller = .person
    ) throws -> JSON {
        let target = "/database/1/\(SmallCloud.container)/development/\(scope)/\(endpoint)"
        return try JSON(reading: cloud.ask("POST", target, body, as: caller).body)
    }

    /// Saves and deletes records; returns the error code of each, or "".
    func modify(
        _ operations: [String], _ scope: String = "public", zone: String = "_defaultZone", atomic: Bool = true,
        as caller: SmallCloud.Caller = .person
    ) throws -> [String] {
        let body = """
            {"zoneID":{"zoneName":"\(zone)"},"atomic":\(atomic),"operations":[\(operations.joined(separator: ","))]}
            """
        let answer = try ask("records/modify", body, scope, as: caller)
        return answer["records"].elements.map { $0["serverErrorCode"].string ?? "" }
    }

    func tally(_ type: Name, in database: DatabaseNumber = 1) throws -> TallyRow {
        try store.rows(TallyRow.of([type], in: database)).first ?? TallyRow(database: database, type: type)
    }

    /// The head of a database.
    func head(_ database: DatabaseNumber = 1) throws -> HeadRow {
        var set = ReadSet()
        set.databases = [database]
        return try #require(try store.read(set).databases[0])
    }

    /// Stores bytes in the head of Ada's database.
    func keep(_ bytes: [UInt8], of feature: String) async throws {
        var set = ReadSet()
        set.databases = [2]
        try await store.commit(set) { reading in
            var writes = WriteSet()
            writes.heads = reading.databases.compactMap(\.self)
            _ = writes.heads[0].annex.set(bytes, of: feature)
            return .write(writes, ())
        }
    }

    /// Whether the heads agree with the rows, and a check finds nothing.
    func isSound() throws -> Bool {
        for database in try 1...store.read(ReadSet()).catalog.head.lastDatabase {
            let annex = try head(database).annex
            for rule in HeadTally.all {
                let rows = try rule.types.map { try tally($0, in: database) }
                let sums = [\TallyRow.made, \.changed, \.removed].map { count in
                    rows.reduce(0) { $0 + UInt8($1[keyPath: count]) }
                }
                guard HeadTally.counts(annex[rule.feature]) == sums else { return false }
            }
        }
        return try cloud.check() == []
    }

    /// The number of records of a type, as counted by the rule.
    func live(_ type: Name) throws -> Int64 { try tally(type).made - tally(type).removed }

    static func record(_ type: String, _ name: String, _ fields: String, _ kind: String = "forceUpdate") -> String {
        #"{"operationType":"\#(kind)","record":{"recordType":"\#(type)","recordName":"\#(name)","fields":{\#(fields)}}}"#
    }

    static func coin(_ name: String, _ count: Int, _ more: String = "") -> String {
        record("Coin", name, #""count":{"value":\#(count)}\#(more)"#)
    }

    static func post(_ name: String, opens: Milliseconds, ends: Milliseconds? = nil, _ kind: String = "forceUpdate")
        -> String
    {
        let end = ends.map { #","ends":{"value":\#($0),"type":"TIMESTAMP"}"# } ?? ""
        return record("Post", name, #""opens":{"value":\#(opens),"type":"TIMESTAMP"}\#(end)"#, kind)
    }

    static func delete(_ name: String) -> String {
        #"{"operationType":"forceDelete","record":{"recordName":"\#(name)"}}"#
    }
}
