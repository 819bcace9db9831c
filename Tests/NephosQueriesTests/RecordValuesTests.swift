import CloudKitWire
import NephosQueries
import NephosStorage
import Testing

@Suite struct RecordValuesTests {
    private func record(_ fields: [String: PlainValue], epoch: Int64 = 0) throws -> RecordRow {
        var record = PlainRecord(number: 1, zone: 1, name: "näme", epoch: epoch, fields: fields)
        record.createdAt = 5
        record.parent = "p"
        return try record.row()
    }

    private func value(_ field: RecordField, _ record: RecordRow) -> FieldValue {
        RecordValues(record, FieldSelection([field]))[0]
    }

    @Test("Values of every type survive a round trip")
    func types() throws {
        let quoted = "\"\\\n\u{1}é日\u{10FFFF}/"
        let record = try record([
            "text": .text(quoted), "whole": .whole(.min), "number": .number(-1.5e-7), "time": .time(.max),
            "data": .data([0, 1, 2, 255, 254]), "target": .reference("a\"b"),
            "place": .place(latitude: -1.25, longitude: 180),
            "tags": .texts(["a,b", "]", quoted, ""]), "wholes": .wholes([1, -2, .max]),
        ])
        let bytes = { (text: String) in QueryValue.bytes(Bytes(text)) }
        let expected: [(RecordField, FieldValue)] = [
            (Fields.text, .one(bytes(quoted))), (Fields.whole, .one(.integer(.min))),
            (Fields.number, .one(.double(-1.5e-7))),
            (Fields.time, .one(.integer(.max))), (Fields.data, .one(.bytes([0, 1, 2, 255, 254]))),
            (Fields.target, .one(bytes("a\"b"))), (Fields.place, .place(Place(latitude: -1.25, longitude: 180))),
            (Fields.tags, .list(["a,b", "]", quoted, ""].map(bytes))),
            (Fields.wholes, .list([.integer(1), .integer(-2), .integer(.max)])), (.recordName, .one(bytes("näme"))),
            (.createdAt, .one(.integer(5))), (.modifiedAt, .one(.integer(0))), (.parent, .one(bytes("p"))),
            (.share, .missing),
            (.createdBy, .one(.user(UserID(high: 1, low: 1)))), (Fields.late, .missing),
        ]
        let all = RecordValues(record, FieldSelection(expected.map(\.0)))
        for (slot, (field, value)) in expected.enumerated() {
            #expect(all[slot] == value)
            #expect(self.value(field, record) == value)
        }
    }

    @Test("Bytes of every length survive a round trip")
    func base64() throws {
        for count in 0..<70 {
            let data = (0..<count).map { UInt8(truncatingIfNeeded: $0 * 37) }
            #expect(value(Fields.data, try record(["data": .data(data)])) == .one(.bytes(data[...])))
        }
    }

    @Test("Both zeros are equal")
    func zero() throws {
        guard case .one(.double(let zero)) = value(Fields.number, try record(["number": .number(-0.0)])) else {
            return #expect(Bool(false))
        }
        #expect(zero.sign == .plus)
    }

    @Test("A field is distinguished from its successor of the same name")
    func epochs() throws {
        let new = RecordField.field("text", .int64, epoch: 4)
        let selection = FieldSelection([Fields.text, new])
        let old = RecordValues(try record(["text": .text("x")], epoch: 3), selection)
        #expect(old[0] == .one(.bytes(Bytes("x"))) && old[1] == .missing)
        let later = RecordValues(try record(["text": .whole(1)], epoch: 4), selection)
        #expect(later[0] == .missing && later[1] == .one(.integer(1)))
    }

    @Test("An empty list of unknown type equals the empty list of any type")
    func unknownList() throws {
        var row = try record([:])
        row.fields = Bytes(#"{"tags":{"type":"UNKNOWN_LIST","value":[]}}"#)
        #expect(value(Fields.tags, row) == .list([]))
        #expect(value(Fields.text, row) == .missing)
    }

    @Test("Reading invalid bytes causes no crash")
    func damage() throws {
        let fields = try record([
            "data": .data([1, 2, 3]), "place": .place(latitude: 1, longitude: 2), "tags": .texts(["a"]),
        ]).fields
        let selection = FieldSelection([Fields.data, Fields.place, Fields.tags, Fields.target, Fields.whole])
        var row = try record([:])
        for index in fields.indices {
            row.fields = fields[..<index]
            _ = RecordValues(row, selection)
            for byte: UInt8 in [0, 0x22, 0x5C, 0x7B, 0x5D, 0xFF] {
                var changed = fields
                changed[index] = byte
                row.fields = changed
                _ = RecordValues(row, selection)
            }
        }
    }
}
