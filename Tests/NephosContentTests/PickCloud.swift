import CloudKitWire
import NephosDomain
import NephosRunner
import NephosStorage
import NephosTesting
import RequestTesting
import Testing

@testable import NephosContent

/// A ``ContentCloud`` with records for picking.
struct PickCloud {
    let own: ContentCloud

    static let settings = #"""
        {"Chibi":{"publishedAt":"publishedAt","until":"until","every":"every","access":"access","audience":"audience",\#
        "weight":"weight","collection":"collection","preview":"thumbnail"}}
        """#

    init(_ own: ContentCloud) { self.own = own }

    init() async throws {
        own = try await ContentCloud(settings: nil)
        try await own.set(section: "audiences", #"{"spanish":{"locale":["es"]},"new":{"app":">=2.3"}}"#)
        try await own.set(Self.settings)
        try await own.addTesters()
    }

    /// A saved item, with its contents.
    struct Item {
        var name: String
        var start: Milliseconds? = SmallCloud.now - 1_000
        var until: Milliseconds?
        var access: [String] = []
        var audience, collection, every: String?
        var weight: Int?
        var drawing: String?

        var fields: String {
            var fields = ContentCloud.published(at: start, until: until, access: access)
            for (field, text) in [
                ("audience", audience), ("collection", collection), ("every", every), ("drawing", drawing),
            ] {
                if let text { fields += ",\"\(field)\":{\"value\":\(JSONText(text))}" }
            }
            if let weight { fields += #","weight":{"value":\#(weight)}"# }
            return fields
        }
    }

    func save(_ items: [Item]) throws {
        for batch in stride(from: 0, to: items.count, by: 100).map({ items[$0..<min($0 + 100, items.count)] }) {
            let operations = batch.map { item in
                #"{"operationType":"forceReplace","record":{"recordType":"Chibi","recordName":"\#(item.name)","fields":{\#(item.fields)}}}"#
            }
            let answer = try own.database(
                "records/modify", #"{"operations":[\#(operations.joined(separator: ","))]}"#, as: .friend)
            let json = try JSON(reading: answer.body)
            #expect(!answer.text.contains("serverErrorCode"), "\(json)")
        }
    }

    func delete(_ names: [String]) throws {
        let operations = names.map { #"{"operationType":"forceDelete","record":{"recordName":"\#($0)"}}"# }
        _ = try own.database(
            "records/modify", #"{"operations":[\#(operations.joined(separator: ","))]}"#, as: .friend)
    }

    /// Runs the server's preparation of saved items for picking.
    func sort() async throws {
        own.now += FollowPicks.delay
        await own.cloud.runDueJobs()
        #expect(try PickCheck(own.administration, own.store).findings() == [])
    }

    func ask(
        _ what: String, _ query: String = "", as caller: SmallCloud.Caller = .app, headers: [(String, String)] = []
    )
        throws -> RawResponse
    {
        try own.cloud.ask(
            "GET", "/nephos/1/\(SmallCloud.container)/development/content/Chibi/\(what)?\(query)", headers: headers,
            as: caller)
    }

    func answer(_ what: String, _ query: String = "", as caller: SmallCloud.Caller = .app) throws -> JSON {
        let answer = try ask(what, query, as: caller)
        #expect(answer.status == 200, "\(answer.text)")
        return try JSON(reading: answer.body)
    }

    func names(_ what: String, _ query: String = "", as caller: SmallCloud.Caller = .app) throws -> [String] {
        try answer(what, query, as: caller)["records"].elements.compactMap { $0["recordName"].string }
    }
}

/// A string as JSON.
struct JSONText: CustomStringConvertible {
    private let text: String

    init(_ text: String) { self.text = text }

    var description: String {
        var json = JSONWriter()
        json.string(text)
        return String(decoding: json.bytes, as: UTF8.self)
    }
}
