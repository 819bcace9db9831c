import CloudKitWire
import NephosDomain
import NephosRunner
import NephosStorage

extension Content {
    /// `…/content/{type}/choose`: the collections from which a person wants content. `POST {"collections":["cats","dogs"]}`
    /// stores them in a record of their private database, so that they apply on all of their devices; `GET` returns them
    /// (docs/content.md, "Choosing").
    static let choosing = Endpoint("content/{type}/choose", at: .container, methods: [.get, .post], needsUser: true) {
        call in
        let type = Name(String(call.call.path.values.first ?? ""))
        _ = try call.content(type)
        guard let choice = try ContentChoice(call, of: type) else {
            throw Refusal.badRequest("only a signed-in person can choose: send a web auth token")
        }
        guard call.call.request.method == .post else {
            return call.read(choice.reading) { reading in ContentChoice.answer(choice.collections(reading) ?? []) }
        }
        let collections: [String]
        do throws(WireError) { collections = try ContentChoice.collections(call.body) } catch {
            throw Refusal.badRequest("\(error)")
        }
        return call.carryOut(choice.reading) { reading in
            let old: RecordRow? = if case .record(let record)? = reading.records.first { record } else { nil }
            let save = RecordSave(
                name: choice.key.name.text, type: ContentChoice.type, old: old,
                kind: .edit([(ContentChoice.field, .texts(collections))]))
            let operation = try ModifyRecords(try RecordSave.request([save]), context: choice.context) {
                call.newName()
            }
            return call.commit(operation.reading, decide: { try operation.decide($0).refused() }) { _ in
                ContentChoice.answer(collections)
            }
        }
    }
}

/// The record in which a person's choice for one type of content is stored.
struct ContentChoice: Sendable {
    /// In development it is created with the first choice; `schema deploy` copies it to production.
    static let type: Name = "ContentChoice"
    static let field: Name = "collections"

    /// Scoped to the private database.
    let context: RequestContext
    let key: RecordKey

    /// - Returns: nil if the caller is not a person.
    init?(_ call: AdmittedCall, of type: Name) throws(Refusal) {
        guard case .person = call.context.caller else { return nil }
        context = call.context.scoped(to: .private)
        key = RecordKey(
            zone: .name(try context.home(), defaultZoneName), name: Name("content-\(type.text)"))
    }

    var reading: ReadSet {
        var set = ReadSet()
        set.records = [key]
        return set
    }

    /// nil if nothing was chosen.
    func collections(_ reading: Reading) -> [String]? {
        guard case .record(let record)? = reading.records.last, record.name == key.name,
            let type = reading.catalog.type(record.type), type.row.name == Self.type
        else { return nil }
        var chosen: [String]?
        CanonicalFields.read([Self.field], in: record.liveFields(of: type)) { _, value in chosen = value.texts }
        return chosen
    }

    static func collections(_ body: ArraySlice<UInt8>) throws(WireError) -> [String] {
        var (json, chosen) = (try JSONReader(body), nil as [String]?)
        try json.readObject { json, key throws(WireError) in
            guard case "collections" = key else {
                throw WireError("unknown key; a choice has collections", offset: json.offset)
            }
            var names: [String] = []
            try json.readArray { json, place throws(WireError) in
                guard place < ContentQuestion.collectionsMax else {
                    throw WireError("more than \(ContentQuestion.collectionsMax) collections", isLimit: true)
                }
                let name = String(decoding: try json.readString(), as: UTF8.self)
                guard !name.isEmpty, name.utf8.count <= ContentRule.wordBytesMax, !name.contains(",") else {
                    throw WireError(
                        "a collection's name must have 1 to \(ContentRule.wordBytesMax) bytes, and no comma",
                        offset: json.offset)
                }
                names.append(name)
            }
            chosen = names
        }
        try json.finish()
        guard let chosen else { throw WireError("collections is missing: name some, or pass [] for all") }
        return chosen
    }

    static func answer(_ collections: [String]) -> [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        json.key("collections")
        json.beginArray()
        for name in collections { json.string(name) }
        json.endArray()
        json.endObject()
        return json.bytes
    }
}
