import CloudKitWire
import Foundation

/// `changes/database`: one page of zones that changed.
struct DatabaseChangesCall: ServiceCall {
    struct Change: Sendable {
        var zone: CKRecordZoneID
        /// Nil if the zone exists.
        var deletion: CKDatabase.DatabaseChange.Deletion.Reason?
    }

    struct Page: Sendable {
        var changes: [Change] = []
        var token: CKServerChangeToken
        var moreComing = false
    }

    let path = "changes/database"
    var scope: CKDatabaseScope
    var token: CKServerChangeToken?
    /// Nil leaves it to the server.
    var limit: Int?

    func write(to writer: inout JSONWriter) {
        if let token { writer.member("syncToken", token.text) }
        if let limit { writer.member("resultsLimit", Int64(limit)) }
    }

    func read(_ reader: inout JSONReader, _ viewer: Viewer) throws(WireError) -> Page {
        var (changes, token, moreComing): ([Change]?, String?, Bool) = (nil, nil, false)
        try reader.readMembers { reader, key throws(WireError) in
            switch key {
            case "zones":
                var zones: [Change] = []
                try reader.readItems { reader throws(WireError) in
                    zones.append(try Change(&reader, user: viewer.user))
                }
                changes = zones
            case "syncToken": token = try reader.readText()
            case "moreComing": moreComing = try reader.readBool()
            default: break
            }
        }
        guard let token, let changes else { throw WireError("the changes have no syncToken or no zones") }
        guard !moreComing || token != self.token?.text else { throw WireError.noProgress }
        return Page(changes: changes, token: CKServerChangeToken(token), moreComing: moreComing)
    }
}

extension DatabaseChangesCall.Change {
    fileprivate init(_ reader: inout JSONReader, user: String?) throws(WireError) {
        var (zone, isDeleted, reason): (CKRecordZoneID?, Bool, String) = (nil, false, "")
        try reader.readMembers { reader, key throws(WireError) in
            switch key {
            case "zoneID": zone = try CKRecordZoneID(&reader).shown(to: user)
            case "deleted": isDeleted = try reader.readBool()
            case "deletedReason": reason = try reader.readText()
            default: break
            }
        }
        guard let zone else { throw WireError("a change has no zoneID") }
        self.zone = zone
        guard isDeleted else { return }
        deletion =
            switch reason {
            case "PURGED": .purged
            case "ENCRYPTED_DATA_RESET": .encryptedDataReset
            default: .deleted
            }
    }
}

/// `changes/zone`: one page of changes for each of several zones.
struct ZoneChangesCall: ServiceCall {
    struct Query: Sendable {
        var zone: CKRecordZoneID
        var token: CKServerChangeToken?
        /// Nil leaves it to the server.
        var limit: Int?
        var desiredKeys: [CKRecord.FieldKey]?
        /// Counts the empty pages before this one.
        var empty = EmptyPages()
    }

    struct Page: Sendable {
        var items: [RecordReader.Item]
        var token: CKServerChangeToken
        var moreComing: Bool
        /// `clientChangeTokenData` of the latest request that the server accepted in the zone.
        var clientToken: Data?
        /// Whether the zone was put off: more is coming after the same change token, because changes of other zones have filled
        /// the response.
        var isPutOff: Bool
    }

    enum Answered: Sendable {
        case page(Page)
        case failed(ServerError)
    }

    let path = "changes/zone"
    var scope: CKDatabaseScope
    var queries: [Query]

    func write(to writer: inout JSONWriter) {
        writer.key("zones")
        writer.beginArray()
        for query in queries {
            writer.beginObject()
            writer.member("zoneID", query.zone)
            if let token = query.token { writer.member("syncToken", token.text) }
            if let limit = query.limit { writer.member("resultsLimit", Int64(limit)) }
            writer.desiredKeys(query.desiredKeys)
            writer.endObject()
        }
        writer.endArray()
    }

    /// Returns the results in the order of the queries. Changes that cannot be read are an error of their zone, and do not affect
    /// the other zones.
    func read(_ reader: inout JSONReader, _ viewer: Viewer) throws(WireError) -> [Answered] {
        var answers: [Answered] = []
        let count = ElementCount()
        try reader.readMembers { reader, key throws(WireError) in
            guard case "zones" = key else { return }
            try reader.readArray { reader, index throws(WireError) in
                guard queries.indices.contains(index) else { throw WireError("more zones than requested") }
                try reader.read { reader throws(WireError) in
                    answers.append(try Answered(&reader, queries[index], scope, viewer, count))
                } orElse: { _, error in
                    answers.append(.unreadable(queries[index].zone, error))
                }
            }
        }
        guard answers.count == queries.count else { throw WireError("fewer zones than requested") }
        return Self.bringSomething(answers) ? answers : zip(answers, queries).map { $0.failingIfPutOff($1.zone) }
    }

    /// Whether a zone in the response has changes, so that other zones may have been put off.
    static func bringSomething(_ answers: [Answered]) -> Bool {
        answers.contains { if case .page(let page) = $0 { !page.items.isEmpty } else { false } }
    }
}

extension WireError {
    /// A fetch that continues while more is coming would otherwise never end.
    fileprivate static let noProgress = WireError("moreComing is true, but the syncToken has not changed")
}

extension ZoneChangesCall.Answered {
    fileprivate static func unreadable(_ zone: CKRecordZoneID, _ error: WireError) -> Self {
        .failed(.unreadable("changes of the zone \(zone.zoneName) cannot be read: \(error)", .internalError))
    }

    fileprivate func failingIfPutOff(_ zone: CKRecordZoneID) -> Self {
        if case .page(let page) = self, page.isPutOff { .unreadable(zone, .noProgress) } else { self }
    }

    fileprivate init(
        _ reader: inout JSONReader, _ query: ZoneChangesCall.Query, _ scope: CKDatabaseScope, _ viewer: Viewer,
        _ count: ElementCount
    ) throws(WireError) {
        var (items, token, moreComing): ([RecordReader.Item]?, String?, Bool) = (nil, nil, false)
        var (zone, error): (CKRecordZoneID?, ServerError.Members) = (nil, ServerError.Members())
        var clientToken: Data?
        let records = RecordReader(scope, zone: query.zone, viewer, count)
        try reader.readMembers { reader, key throws(WireError) in
            switch key {
            case "zoneID": zone = try CKRecordZoneID(&reader).shown(to: viewer.user)
            case "records": items = try records.items(&reader)
            case "syncToken": token = try reader.readText()
            case "moreComing": moreComing = try reader.readBool()
            case "clientChangeToken": clientToken = try reader.readBytes()
            default: try error.read(&reader, key)
            }
        }
        // The token of another zone must not be stored for this one.
        guard zone == nil || zone == query.zone.shown(to: viewer.user) else {
            throw WireError("zones in another order than requested")
        }
        if let error = error.error {
            self = .failed(error)
            return
        }
        guard let token, let items else { throw WireError("the changes have no syncToken or no records") }
        let isSamePlace = moreComing && token == query.token?.text
        guard !isSamePlace || items.isEmpty else { throw WireError.noProgress }
        self = .page(
            ZoneChangesCall.Page(
                items: items, token: CKServerChangeToken(token), moreComing: moreComing, clientToken: clientToken,
                isPutOff: isSamePlace))
    }
}
