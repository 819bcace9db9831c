import CloudKitWire
import NephosStorage

/// A value in its natural form.
enum PlainValue: Equatable {
    case text(String)
    case whole(Int64)
    case number(Double)
    case time(Int64)
    case data([UInt8])
    case reference(String)
    case place(latitude: Double, longitude: Double)
    case texts([String])
    case wholes([Int64])
    case numbers([Double])
    case references([String])
    case encryptedText(String)
}

/// A record in plain Swift values, for both stored rows and the evaluator of the tests.
struct PlainRecord {
    static let zone = ReferenceZone(zoneName: "z", ownerRecordName: "_o", isPublic: false)

    var number: RecordNumber
    var zone: ZoneNumber
    var type: TypeNumber = 1
    var name: String
    var createdAt: Int64 = 0
    var createdBy = UserID(high: 1, low: 1)
    var modifiedAt: Int64 = 0
    var modifiedBy = UserID(high: 1, low: 1)
    var parent: String?
    var share: Int64?
    var isShareRoot = false
    var epoch: Int64 = 0
    var fields: [String: PlainValue] = [:]

    func row() throws -> RecordRow {
        var writer = JSONWriter(reserving: 256)
        writer.beginObject()
        for (name, value) in fields {
            writer.key(named: Name(name))
            value.write(to: &writer)
        }
        writer.endObject()
        let patch = try FieldsInput(json: writer.bytes[...]).patch(recordType: "T", zone: Self.zone) { _ in nil }
        return RecordRow(
            database: 1, number: number, zone: zone, name: Name(name), sequence: number, tagSequence: number,
            type: type, createdAt: createdAt, createdBy: createdBy, modifiedAt: modifiedAt, modifiedBy: modifiedBy,
            parent: parent.map { Name($0) }, share: share, flags: isShareRoot ? .shareRoot : [],
            fieldsEpoch: epoch, fields: patch.set)
    }
}

extension PlainValue {
    fileprivate func write(to writer: inout JSONWriter) {
        writer.beginObject()
        switch self {
        case .text(let text):
            writer.key("type")
            writer.string("STRING")
            writer.key("value")
            writer.string(text)
        case .encryptedText(let text):
            writer.key("type")
            writer.string("STRING")
            writer.key("isEncrypted")
            writer.bool(true)
            writer.key("value")
            writer.string(text)
        case .whole(let number):
            writer.key("type")
            writer.string("INT64")
            writer.key("value")
            writer.int64(number)
        case .number(let number):
            writer.key("type")
            writer.string("DOUBLE")
            writer.key("value")
            writer.double(number)
        case .time(let number):
            writer.key("type")
            writer.string("TIMESTAMP")
            writer.key("value")
            writer.int64(number)
        case .data(let data):
            writer.key("type")
            writer.string("BYTES")
            writer.key("value")
            writer.string(base64(data))
        case .reference(let name):
            writer.key("type")
            writer.string("REFERENCE")
            writer.key("value")
            writer.beginObject()
            writer.key("recordName")
            writer.string(name)
            writer.endObject()
        case .place(let latitude, let longitude):
            writer.key("type")
            writer.string("LOCATION")
            writer.key("value")
            writer.beginObject()
            writer.key("altitude")
            writer.double(latitude + 1)
            writer.key("longitude")
            writer.double(longitude)
            writer.key("latitude")
            writer.double(latitude)
            writer.endObject()
        case .texts(let texts):
            writer.key("type")
            writer.string("STRING_LIST")
            writer.key("value")
            writer.beginArray()
            for text in texts { writer.string(text) }
            writer.endArray()
        case .numbers(let numbers):
            writer.key("type")
            writer.string("DOUBLE_LIST")
            writer.key("value")
            writer.beginArray()
            for number in numbers { writer.double(number) }
            writer.endArray()
        case .references(let names):
            writer.key("type")
            writer.string("REFERENCE_LIST")
            writer.key("value")
            writer.beginArray()
            for name in names {
                writer.beginObject()
                writer.key("recordName")
                writer.string(name)
                writer.endObject()
            }
            writer.endArray()
        case .wholes(let numbers):
            writer.key("type")
            writer.string("INT64_LIST")
            writer.key("value")
            writer.beginArray()
            for number in numbers { writer.int64(number) }
            writer.endArray()
        }
        writer.endObject()
    }

    private func base64(_ data: [UInt8]) -> String {
        let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
        var text = ""
        for start in stride(from: 0, to: data.count, by: 3) {
            let part = Array(data[start..<min(start + 3, data.count)])
            let word = part.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - part.count))
            for index in 0..<4 {
                text += index <= part.count ? String(digits[word >> (18 - 6 * index) & 63]) : "="
            }
        }
        return text
    }
}
