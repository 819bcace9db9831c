import CloudKitWire
import Foundation

/// A request to one endpoint, and the reader of its response.
protocol ServiceCall: Sendable {
    associatedtype Answer: Sendable

    var path: String { get }
    var scope: CKDatabaseScope { get }
    /// Whether the server may have changed something even if no response arrives.
    var isChange: Bool { get }
    /// Writes the members of the request's object.
    func write(to writer: inout JSONWriter)
    func read(_ reader: inout JSONReader, _ viewer: Viewer) throws(WireError) -> Answer
}

/// The user for whom a response is read.
struct Viewer: Sendable {
    /// The name of the signed-in person's user record; nil for nobody.
    var user: String?
    /// Nil if no passphrase is configured: encrypted values are left out then.
    var cipher: FieldCipher?
    /// Whether values that nobody has sealed are read as encrypted ones.
    var readsUnsealed = false
    /// Where the URLs of shares begin; nil if no server is set.
    var sharesAt: String?
}

extension ServiceCall {
    var isChange: Bool { false }
}

extension Service {
    func answer<Call: ServiceCall>(_ call: Call, _ terms: Terms) async throws(CKError) -> Call.Answer {
        try server()
        let terms = bound(terms)
        let viewer = try await viewer(terms)
        if viewer.user == nil, call.scope != .public { throw .signedOut("\(call.scope.wireName) database") }
        var writer = JSONWriter(reserving: 1_024)
        writer.beginObject()
        call.write(to: &writer)
        writer.endObject()
        let request = Request(call.path, call.scope, writer.bytes, isChange: call.isChange)
        let json = try await answer(to: request, terms)
        return try CKError.reading(isChange: call.isChange) { () throws(WireError) in
            var reader = try JSONReader(json)
            return try call.read(&reader, viewer)
        }
    }
}

extension JSONWriter {
    /// Writes the fields that the response is to contain; nil for all.
    mutating func desiredKeys(_ keys: [CKRecord.FieldKey]?) {
        guard let keys else { return }
        key("desiredKeys")
        beginArray()
        for key in keys { string(key) }
        endArray()
    }

    mutating func member(_ key: StaticString, _ zone: CKRecordZoneID) {
        self.key(key)
        zone.write(to: &self)
    }
}

extension JSONReader {
    /// Calls `body` for each member of an object; skips members that are null.
    mutating func readMembers(
        _ body: (inout JSONReader, JSONKey) throws(WireError) -> Void
    ) throws(WireError) {
        try readObject { reader, key throws(WireError) in
            if try reader.readNull() { return }
            try body(&reader, key)
        }
    }

    /// Reads each item of a response's list: no more than a response can have.
    mutating func readItems(_ item: (inout JSONReader) throws(WireError) -> Void) throws(WireError) {
        try readArray { reader, index throws(WireError) in
            guard index < AnswerLimits.items else { throw WireError("there are more than \(AnswerLimits.items) items") }
            try item(&reader)
        }
    }

    /// Reads each item of a response's list with `element`.
    mutating func readElements<Value>(
        _ element: (inout JSONReader) throws(WireError) -> Value
    ) throws(WireError) -> [Value] {
        var values: [Value] = []
        try readItems { reader throws(WireError) in values.append(try element(&reader)) }
        return values
    }
}
