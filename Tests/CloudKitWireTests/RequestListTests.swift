import CloudKitWire
import Foundation
import Testing

/// docs/protocol.md, J13 and "Limits": every list of a request has a limit.
@Suite("Lists of requests") struct RequestListTests {
    /// A list of a request in its place.
    struct Place: Sendable, CustomTestStringConvertible {
        var list: RequestList
        /// The path in the reason.
        var path: String
        var element: String
        /// The request, with `@` in place of the list's elements.
        var body: String
        var read: @Sendable (ArraySlice<UInt8>) throws -> Void

        var testDescription: String { "\(list) of \(body.prefix(50))" }

        func read(count: Int, rest: String = "") throws {
            let elements = Array(repeating: element, count: count).joined(separator: ",")
            try read(body.replacing("@", with: elements + rest).body)
        }
    }

    private static let modify: @Sendable (ArraySlice<UInt8>) throws -> Void = { _ = try RecordsModifyRequest(json: $0) }
    private static let lookup: @Sendable (ArraySlice<UInt8>) throws -> Void = { _ = try RecordsLookupRequest(json: $0) }
    private static let query: @Sendable (ArraySlice<UInt8>) throws -> Void = { _ = try RecordsQueryRequest(json: $0) }
    private static let changes: @Sendable (ArraySlice<UInt8>) throws -> Void = { _ = try ZoneChangesRequest(json: $0) }
    private static let feed: @Sendable (ArraySlice<UInt8>) throws -> Void = { _ = try RecordsChangesRequest(json: $0) }
    private static let zones: @Sendable (ArraySlice<UInt8>) throws -> Void = { _ = try ZonesLookupRequest(json: $0) }
    private static let zoneEdits: @Sendable (ArraySlice<UInt8>) throws -> Void = {
        _ = try ZonesModifyRequest(json: $0)
    }
    private static let subscribe: @Sendable (ArraySlice<UInt8>) throws -> Void = {
        _ = try SubscriptionsModifyRequest(json: $0)
    }
    private static let subscriptions: @Sendable (ArraySlice<UInt8>) throws -> Void = {
        _ = try SubscriptionsLookupRequest(json: $0)
    }
    private static let upload: @Sendable (ArraySlice<UInt8>) throws -> Void = { _ = try AssetsUploadRequest(json: $0) }
    private static let rereference: @Sendable (ArraySlice<UInt8>) throws -> Void = {
        _ = try AssetsRereferenceRequest(json: $0)
    }
    private static let shares: @Sendable (ArraySlice<UInt8>) throws -> Void = { _ = try SharesRequest(json: $0) }
    private static let filter: @Sendable (ArraySlice<UInt8>) throws -> Void = { json in
        let request = try RecordsQueryRequest(json: json)
        let subject = FilterSubject(field: "f", recordType: "T", type: .string)
        _ = try request.query.filters[0].value.filterValues(of: subject)
    }

    private static let filterJSON = #"{"fieldName":"f","comparator":"EQUALS","fieldValue":{"value":""}}"#

    private static func notification(_ list: RequestList, _ key: String) -> Place {
        let path = "operations[0].subscription.notificationInfo.\(key)"
        let body = #"{"operations":[{"operationType":"create","subscription":{"notificationInfo":{"\#(key)":[@]}}}]}"#
        return Place(list: list, path: path, element: #""""#, body: body, read: subscribe)
    }

    static let places: [Place] = [
        Place(
            list: .operations, path: "operations", element: #"{"operationType":"create","record":{}}"#,
            body: #"{"operations":[@]}"#, read: modify),
        Place(
            list: .desiredKeys, path: "desiredKeys", element: #""""#, body: #"{"operations":[],"desiredKeys":[@]}"#,
            read: modify),
        Place(
            list: .desiredKeys, path: "operations[0].desiredKeys", element: #""\u0061""#,
            body: #"{"operations":[{"operationType":"create","record":{},"desiredKeys":[@]}]}"#, read: modify),
        Place(
            list: .records, path: "records", element: #"{"recordName":"x"}"#, body: #"{"records":[@]}"#, read: lookup),
        Place(
            list: .desiredKeys, path: "desiredKeys", element: #""""#, body: #"{"records":[],"desiredKeys":[@]}"#,
            read: lookup),
        Place(
            list: .desiredKeys, path: "records[0].desiredKeys", element: #""""#,
            body: #"{"records":[{"recordName":"x","desiredKeys":[@]}]}"#, read: lookup),
        Place(
            list: .desiredKeys, path: "desiredKeys", element: #""""#,
            body: #"{"query":{"recordType":"T"},"desiredKeys":[@]}"#, read: query),
        Place(
            list: .filterBy, path: "query.filterBy", element: filterJSON,
            body: #"{"query":{"recordType":"T","filterBy":[@]}}"#, read: query),
        Place(
            list: .sortBy, path: "query.sortBy", element: #"{"fieldName":"f"}"#,
            body: #"{"query":{"recordType":"T","sortBy":[@]}}"#, read: query),
        // A value is read once the schema is known, so its path is reported without its parents.
        Place(
            list: .value, path: "", element: #""""#,
            body:
                #"{"query":{"recordType":"T","filterBy":{"fieldName":"f","comparator":"IN","fieldValue":{"value":[@]}}}}"#,
            read: filter),
        Place(
            list: .zones, path: "zones", element: #"{"zoneID":{"zoneName":"Z"}}"#, body: #"{"zones":[@]}"#,
            read: changes),
        Place(
            list: .desiredKeys, path: "desiredKeys", element: #""""#, body: #"{"zones":[],"desiredKeys":[@]}"#,
            read: changes),
        Place(
            list: .desiredKeys, path: "zones[0].desiredKeys", element: #""""#,
            body: #"{"zones":[{"zoneID":{"zoneName":"Z"},"desiredKeys":[@]}]}"#, read: changes),
        Place(
            list: .desiredRecordTypes, path: "desiredRecordTypes", element: #""""#,
            body: #"{"zones":[],"desiredRecordTypes":[@]}"#, read: changes),
        Place(
            list: .desiredRecordTypes, path: "zones[0].desiredRecordTypes", element: #""""#,
            body: #"{"zones":[{"zoneID":{"zoneName":"Z"},"desiredRecordTypes":[@]}]}"#, read: changes),
        Place(
            list: .desiredKeys, path: "desiredKeys", element: #""""#,
            body: #"{"zoneID":{"zoneName":"Z"},"desiredKeys":[@]}"#, read: feed),
        Place(
            list: .desiredRecordTypes, path: "desiredRecordTypes", element: #""""#,
            body: #"{"zoneID":{"zoneName":"Z"},"desiredRecordTypes":[@]}"#, read: feed),
        Place(list: .zones, path: "zones", element: #"{"zoneName":"Z"}"#, body: #"{"zones":[@]}"#, read: zones),
        Place(
            list: .operations, path: "operations",
            element: #"{"operationType":"create","zone":{"zoneID":{"zoneName":"Z"}}}"#,
            body: #"{"operations":[@]}"#, read: zoneEdits),
        Place(
            list: .operations, path: "operations", element: #"{"operationType":"create","subscription":{}}"#,
            body: #"{"operations":[@]}"#, read: subscribe),
        Place(
            list: .filterBy, path: "operations[0].subscription.query.filterBy", element: filterJSON,
            body:
                #"{"operations":[{"operationType":"create","subscription":{"query":{"recordType":"T","filterBy":[@]}}}]}"#,
            read: subscribe),
        Place(
            list: .firesOn, path: "operations[0].subscription.firesOn", element: #""create""#,
            body: #"{"operations":[{"operationType":"create","subscription":{"firesOn":[@]}}]}"#, read: subscribe),
        notification(.alertLocalizationArgs, "alertLocalizationArgs"),
        notification(.titleLocalizationArgs, "titleLocalizationArgs"),
        notification(.subtitleLocalizationArgs, "subtitleLocalizationArgs"),
        notification(.additionalFields, "additionalFields"),
        notification(.additionalFields, "desiredKeys"),
        Place(
            list: .subscriptions, path: "subscriptions", element: #"{"subscriptionID":"s"}"#,
            body: #"{"subscriptions":[@]}"#, read: subscriptions),
        Place(list: .tokens, path: "tokens", element: #"{"fieldName":"f"}"#, body: #"{"tokens":[@]}"#, read: upload),
        Place(
            list: .assets, path: "assets", element: #"{"recordName":"r","fieldName":"f"}"#, body: #"{"assets":[@]}"#,
            read: rereference),
        Place(
            list: .participants, path: "operations[0].record.participants", element: #"{"type":"USER"}"#,
            body: #"{"operations":[{"operationType":"create","record":{"participants":[@]}}]}"#, read: modify),
        Place(
            list: .shortGUIDs, path: "shortGUIDs", element: #"{"value":"x"}"#, body: #"{"shortGUIDs":[@]}"#,
            read: shares),
    ]

    @Test(
        "A list is read up to its limit; the rest is not read, and the reason names the list and the limit",
        arguments: places)
    func limits(place: Place) throws {
        try place.read(count: place.list.limit)
        // If the next element were read, it would be rejected for its type.
        let error = #expect(throws: WireError.self) { try place.read(count: place.list.limit, rest: ",[]") }
        #expect(error?.message == "'\(place.list.rawValue)' can have at most \(place.list.limit) elements")
        #expect(error?.path == "\(place.path)[\(place.list.limit)]")
    }

    @Test(
        "X8: a client that says what it is may send 400 operations; the other lists stay as they are",
        arguments: ["modify", "zones", "subscriptions"])
    func operationsOfNephosClients(request: String) throws {
        func read(_ count: Int, rest: String = "") throws {
            let element = #"{"operationType":"create","record":{},"zone":{"zoneName":"Z"},"subscription":{}}"#
            let elements = Array(repeating: element, count: count).joined(separator: ",")
            let json = #"{"operations":[\#(elements)\#(rest)]}"#.body
            switch request {
            case "modify": _ = try RecordsModifyRequest(json: json, limits: .ofNephosClients)
            case "zones": _ = try ZonesModifyRequest(json: json, limits: .ofNephosClients)
            default: _ = try SubscriptionsModifyRequest(json: json, limits: .ofNephosClients)
            }
        }
        try read(400)
        let error = #expect(throws: WireError.self) { try read(400, rest: ",[]") }
        #expect(error?.message == "'operations' can have at most 400 elements" && error?.path == "operations[400]")
        let names = Array(repeating: #"{"recordName":"x"}"#, count: 201).joined(separator: ",")
        #expect(throws: WireError.self) {
            _ = try RecordsLookupRequest(json: #"{"records":[\#(names)]}"#.body, limits: .ofNephosClients)
        }
    }

    @Test("Each list of the table occurs in a request and is tested here")
    func table() { #expect(Set(Self.places.map(\.list)) == Set(RequestList.allCases)) }

    @Test("Requests read lists only through the table")
    func onlyByTheTable() throws {
        let sources = URL(filePath: #filePath).deletingLastPathComponent().appending(
            path: "../../Sources/Protocol/CloudKitWire")
        var readers: [String] = []
        for folder in ["Requests", "Subscriptions"] {
            let files = try FileManager.default.contentsOfDirectory(
                at: sources.appending(path: folder), includingPropertiesForKeys: nil)
            readers += try files.filter { try String(contentsOf: $0, encoding: .utf8).contains("readArray") }
                .map(\.lastPathComponent)
        }
        #expect(readers == ["RequestList.swift"])
    }
}
