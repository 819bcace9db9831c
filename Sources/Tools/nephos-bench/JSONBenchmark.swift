import CloudKitWire

/// 200 records of ten fields as clients send them, 160 KB: the time to convert them to canonical fields, and to convert stored
/// fields to a response.
enum JSONBenchmark {
    static let recordCount = 200

    static func run() {
        let body = modifyBody()
        let stored = decode(body)
        let patches = decodePatches(body)
        let page = answer(stored, as: .plain)
        print("request \(body.count) bytes, answer \(page.count) bytes, \(recordCount) records")
        report("in: modify request to canonical fields", bytes: body.count) { _ = decode(body) }
        report("in: modify request alone", bytes: body.count) { _ = try? RecordsModifyRequest(json: body) }
        report("merge: stored fields with a patch", bytes: stored.reduce(0) { $0 + $1.count }) {
            for (fields, patch) in zip(stored, patches) { _ = CanonicalFields.merge(stored: fields, patch: patch) }
        }
        report("out: record dictionaries", bytes: page.count) { _ = answer(stored, as: .plain) }
        report("out: three desired keys", bytes: answer(stored, as: .selected).count) {
            _ = answer(stored, as: .selected)
        }
        report("out: numbers as strings", bytes: answer(stored, as: .strings).count) {
            _ = answer(stored, as: .strings)
        }
    }

    private static func report(_ name: String, bytes: Int, _ work: () -> Void) {
        let seconds = CPUTime.median(rounds: 15, calls: 20, work)
        let rate = Int((Double(bytes) / seconds / 1e6).rounded())
        print("\(name): \(rate) MB/s, \(Int((seconds * 1e6).rounded())) µs of processor time")
    }

    // MARK: Requests

    private static let zone = ReferenceZone(
        zoneName: "Notebook", ownerRecordName: "_0f3a5c11223344556677889900aabbcc", isPublic: false)

    private static func patches(_ body: ArraySlice<UInt8>) throws -> [FieldsPatch] {
        let request = try RecordsModifyRequest(json: body)
        return try request.operations.map { operation in
            try operation.record.fields.patch(
                recordType: operation.record.recordType ?? "", zone: zone, known: { schema[$0] })
        }
    }

    private static func decode(_ body: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] { decodePatches(body).map(\.set) }

    private static func decodePatches(_ body: ArraySlice<UInt8>) -> [FieldsPatch] {
        do {
            return try patches(body)
        } catch {
            print("the benchmark's own request is wrong: \(error)")
            return []
        }
    }

    private static let schema: [Name: KnownField] = [
        "title": KnownField(.string), "body": KnownField(.string), "pages": KnownField(.int64),
        "rating": KnownField(.double), "due": KnownField(.timestamp), "tags": KnownField(.stringList),
        "place": KnownField(.location), "folder": KnownField(.reference), "digest": KnownField(.bytes),
        "isPinned": KnownField(.int64),
    ]

    private static func modifyBody() -> ArraySlice<UInt8> {
        var writer = JSONWriter(reserving: 200_000)
        writer.beginObject()
        writer.key("operations")
        writer.beginArray()
        for number in 0..<recordCount { write(record: number, to: &writer) }
        writer.endArray()
        writer.endObject()
        return writer.bytes[...]
    }

    private static func write(record number: Int, to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("operationType", "forceUpdate")
        writer.key("record")
        writer.beginObject()
        writer.member("recordName", "B7B0F0C2-6E0F-4F7E-9C07-3E1B6C4B\(1000 + number)")
        writer.member("recordType", "Note")
        writer.key("fields")
        writer.raw(Array(fields(number).utf8)[...])
        writer.endObject()
        writer.endObject()
    }

    private static func fields(_ number: Int) -> String {
        let words = "Bring the old map, two lamps and something warm; we meet where the river turns north. "
        return """
            {"title":{"value":"Note number \(number) about gardening","type":"STRING"},\
            "body":{"value":"\(words)\(words)Caf\u{E9} \u{1F331}\\nline two","type":"STRING"},\
            "pages":{"value":\(number * 7)},"rating":{"value":\(Double(number) / 8 + 0.3),"type":"DOUBLE"},\
            "due":{"value":\(1_735_689_600_000 + number),"type":"TIMESTAMP"},\
            "tags":{"value":["garden","river","winter-\(number % 9)"],"type":"STRING_LIST"},\
            "place":{"value":{"latitude":\(47.3769 + Double(number) / 1000),"longitude":8.5417,"altitude":408.5},\
            "type":"LOCATION"},\
            "folder":{"value":{"recordName":"FOLDER-\(number % 20)","action":"DELETE_SELF"},"type":"REFERENCE"},\
            "digest":{"value":"q83vEjRWeJCrze8SNFZ4kKvN7xI0VniQq83vEjRWeJCrze8SNFZ4kA==","type":"BYTES"},\
            "isPinned":{"value":\(number % 2)}}
            """
    }

    // MARK: Responses

    private enum Style { case plain, selected, strings }

    private static let zoneID = ZoneIDDictionary.encoded(
        zoneName: zone.zoneName, ownerRecordName: zone.ownerRecordName)

    private static func answer(_ stored: [ArraySlice<UInt8>], as style: Style) -> [UInt8] {
        let stamp = RecordStamp(timestamp: 1_735_603_200_123, user: UserID(high: 0x0f3a_5c11_2233_4455, low: 42))
        let keys: DesiredKeys? = style == .selected ? ["title", "due", "pages"] : nil
        var writer = JSONWriter(reserving: stored.reduce(64) { $0 + $1.count + 620 })
        writer.beginObject()
        writer.key("records")
        writer.beginArray()
        for (number, fields) in stored.enumerated() {
            RecordDictionary(
                recordName: name, recordType: "Note", changeTag: Int64(40_000 + number), fields: fields,
                desiredKeys: keys, numbersAsStrings: style == .strings, created: stamp, modified: stamp,
                zoneID: zoneID
            ).write(to: &writer)
        }
        writer.endArray()
        writer.endObject()
        return writer.bytes
    }

    private static let name: Name = "B7B0F0C2-6E0F-4F7E-9C07-3E1B6C4B1000"
}
