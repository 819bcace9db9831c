import CloudKitWire
import NephosDomain
import NephosRunner
import NephosStorage

/// A record of an import.
struct ImportedRecord {
    /// The line of the input at which it begins, from 1.
    let line: Int
    let name: Name
    /// Fields in the form of a request. A field without a value is removed.
    var fields: Bytes
    /// The same fields in the form in which they are stored.
    var patch: FieldsPatch
    /// nil leaves it as it is.
    let parent: Name?

    /// Bytes of a request to save it.
    var bytes: Int { name.bytes.count + fields.count }

    /// Bytes of memory that it takes, at most: buffers grow by doubling.
    var memory: Int { 512 + 128 * patch.fields.count + 2 * (name.bytes.count + fields.count + patch.set.count) }
}

/// Reads records of one type for one zone from the lines of an import.
struct ImportReading {
    let type: Name
    let zone: ReferenceZone
    /// The fields that the schema defines; empty for a type that does not exist yet.
    let known: [Name: KnownField]

    /// Reads a line of NDJSON: a record dictionary, as an export writes it. What the server sets itself (times, people, the change tag) is
    /// ignored.
    func record(json: [UInt8], line: Int) throws(Failure) -> ImportedRecord {
        var (name, type, parent, fields): (Name?, Name?, Name?, Bytes?)
        do throws(WireError) {
            var reader = try JSONReader(json[...])
            try reader.readObject { reader, key throws(WireError) in
                switch key {
                case "recordName": name = try reader.readName()
                case "recordType": type = try reader.readName()
                case "fields": fields = try PortableFields.converted(&reader)
                case "parent":
                    if try reader.readNull() { return }
                    try reader.readObject { reader, key throws(WireError) in
                        if case "recordName" = key { parent = try reader.readName() }
                    }
                default: break
                }
            }
            try reader.finish()
        } catch {
            let hint = line == 1 ? ". ndjson has one record on each line; for a table, pass --input csv." : ""
            throw Failure("Line \(line) is not a record as JSON: \(error.reason)\(hint)")
        }
        guard let name else {
            throw Failure("Line \(line): recordName is missing. With a name, a repeated import saves no record twice.")
        }
        if let type, type != self.type {
            throw Failure("Line \(line): record \(name.excerpt) is of the type \(type.excerpt), not \(self.type).")
        }
        return try record(name, fields ?? CanonicalFields.empty, parent, line: line)
    }

    /// - Parameter fields: In the form of a request.
    func record(_ name: Name, _ fields: Bytes, _ parent: Name?, line: Int) throws(Failure) -> ImportedRecord {
        do throws(Refusal) { try NameRules.checkRecord(name) } catch { throw Failure("Line \(line): \(error.reason)") }
        let patch = try patch(fields, line: line)
        return ImportedRecord(line: line, name: name.owned, fields: fields, patch: patch, parent: parent?.owned)
    }

    func patch(_ fields: Bytes, line: Int) throws(Failure) -> FieldsPatch {
        let input: FieldsInput
        do throws(WireError) { input = try FieldsInput(json: fields) } catch {
            throw Failure("Line \(line): \(error.reason)")
        }
        do throws(FieldProblem) { return try input.patch(recordType: type, zone: zone) { known[$0] } } catch {
            throw Failure("Line \(line): \(error.reason)")
        }
    }
}

/// Fields of a record of another container or zone in the form of a request: references are to records of the zone into which they are saved.
enum PortableFields {
    static func converted(_ reader: inout JSONReader) throws(WireError) -> Bytes {
        var json = JSONWriter()
        json.beginObject()
        try reader.readObject { reader, key throws(WireError) in
            json.key(named: key.name)
            guard try reader.kind == .object else { return json.raw(try reader.skipValue()) }
            json.beginObject()
            try reader.readObject { reader, key throws(WireError) in
                json.key(named: key.name)
                if case "value" = key { try value(&reader, to: &json) } else { json.raw(try reader.skipValue()) }
            }
            json.endObject()
        }
        json.endObject()
        return json.bytes[...]
    }

    private static func value(_ reader: inout JSONReader, to json: inout JSONWriter) throws(WireError) {
        switch try reader.kind {
        case .array:
            json.beginArray()
            try reader.readArray { reader, _ throws(WireError) in try value(&reader, to: &json) }
            json.endArray()
        case .object:
            json.beginObject()
            try reader.readObject { reader, key throws(WireError) in
                if case "zoneID" = key { return }
                json.key(named: key.name)
                json.raw(try reader.skipValue())
            }
            json.endObject()
        default: json.raw(try reader.skipValue())
        }
    }
}
