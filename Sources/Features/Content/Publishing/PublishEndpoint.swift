import CloudKitWire
import NephosDomain
import NephosRunner
import NephosStorage

extension Content {
    /// `POST /nephos/1/CONTAINER/ENVIRONMENT/content/{type}/publish`, for callers who may write the record:
    /// `{"recordName":"ghost","publishedAt":1804579200000,"until":1805184000000}`. The default of `publishedAt` is now, and
    /// without `until` there is no end; `"publishedAt":null` makes it a draft. `audience` changes the audience: null for
    /// everybody.
    static let publishing = Endpoint("content/{type}/publish", at: .container, methods: [.post], needsUser: true) {
        call in
        let type = Name(String(call.call.path.values.first ?? ""))
        let change: PublishRequest
        do throws(WireError) { change = try PublishRequest(call.body, now: call.context.now) } catch {
            throw Refusal.badRequest("\(error)")
        }
        let content = try call.content(type)
        guard change.until == nil || content.fields[.until] != nil else {
            throw Refusal.badRequest("\(type.excerpt) has no field for until: name one under content in the settings")
        }
        var edits = content.edits(publishedAt: change.publishedAt, until: change.until)
        if let audience = change.audience {
            guard let field = content.fields[.audience] else {
                throw Refusal.badRequest(
                    "\(type.excerpt) has no field for audience: name one under content in the settings")
            }
            edits.append((field, audience))
        }
        let key = RecordKey(zone: .name(database, defaultZoneName), name: Name(change.record))
        var set = ReadSet()
        set.records = [key]
        return call.carryOut(set) { [edits] reading in
            guard case .record(let record)? = reading.records.first, reading.catalog.type(record.type)?.row.name == type
            else { throw Refusal.unseen(change.record, of: type) }
            let save = RecordSave(name: change.record, type: type, old: record, kind: .edit(edits))
            let request = try RecordSave.request([save])
            let operation = try ModifyRecords(request, context: call.context) { call.newName() }
            return call.commit(
                operation.reading,
                decide: { reading in
                    do { return try operation.decide(reading).refused() } catch Refusal.recordNotFound {
                        throw Refusal.unseen(change.record, of: type)
                    }
                }, { _ in change.answer })
        }
    }
}

extension Refusal {
    /// One refusal for a record that does not exist and one that is hidden: callers do not learn which it is.
    fileprivate static func unseen(_ name: String, of type: Name) -> Refusal {
        .notFound(
            "Record not found: there is no '\(Name(name).excerpt)' of type \(type.excerpt) that you may see; check both names, and your roles"
        )
    }
}

extension AdmittedCall {
    func content(_ type: Name) throws(Refusal) -> ContentType {
        do throws(SectionFailure) {
            if let content = try context.catalog.content().types[type] { return content }
        } catch {
            throw .badRequest("the content settings of the container cannot be read by this server: \(error)")
        }
        guard context.catalog.types[type] != nil else { throw .recordTypeNotFound(type.excerpt) }
        throw .badRequest("\(type.excerpt) is not content: name it under content in the settings")
    }
}

/// The requested change of a record.
struct PublishRequest: Sendable {
    private(set) var record = ""
    private(set) var publishedAt, until: Milliseconds?
    /// The audience; nil to keep the current one.
    private(set) var audience: FieldEdit?

    init(_ body: ArraySlice<UInt8>, now: Milliseconds) throws(WireError) {
        publishedAt = now
        var json = try JSONReader(body)
        try json.readObject { json, key throws(WireError) in
            switch key {
            case "recordName": record = String(decoding: try json.readString(), as: UTF8.self)
            case "publishedAt": publishedAt = try Self.time(&json)
            case "until": until = try Self.time(&json)
            case "audience":
                audience =
                    try json.readNull() ? .removed : .text(String(decoding: try json.readString(), as: UTF8.self))
            default:
                throw WireError(
                    "unknown key; a publication has recordName, publishedAt, until and audience", offset: json.offset)
            }
        }
        try json.finish()
        guard !record.isEmpty else { throw WireError("recordName is missing") }
        if let publishedAt, let until, until <= publishedAt {
            throw WireError("it would end before it begins: until must be after publishedAt")
        }
    }

    private static func time(_ json: inout JSONReader) throws(WireError) -> Milliseconds? {
        if try json.readNull() { return nil }
        let offset = json.offset
        do throws(WireError) { return try json.readMilliseconds() } catch {
            throw WireError("expected milliseconds since 1970, such as 1804579200000, or null", offset: offset)
        }
    }

    var answer: [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        json.member("recordName", record)
        if let publishedAt { json.member("publishedAt", publishedAt) }
        if let until { json.member("until", until) }
        if case .text(let audience) = audience { json.member("audience", audience) }
        if case .removed = audience {
            json.key("audience")
            json.null()
        }
        json.endObject()
        return json.bytes
    }
}
