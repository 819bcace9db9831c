import CloudKitWire
import NephosTesting

/// One zone of one user, filled with records of every type of a file, changed, and read back in every way.
struct ZoneRun {
    let session: Session
    let zone: String
    let shapes: [RecordShape]
    var generator: SeededGenerator
    private let files: UploadedFiles
    private var expected: [Name: ExpectedRecord] = [:]
    private var order: [Name] = []
    private var deleted: [Name] = []
    private var mirror = ZoneMirror()

    init(session: Session, zone: String, shapes: [RecordShape], _ files: UploadedFiles, seed: UInt64) {
        self.session = session
        self.zone = zone
        self.shapes = shapes
        self.files = files
        generator = SeededGenerator(seed: seed)
    }

    /// - Throws: ``UnusableAnswer`` if it cannot continue; everything else is added to the findings.
    mutating func run(_ findings: inout Findings) throws {
        create()
        findings.records += order.count
        try save(operations: order.map { ($0, createOperation($0)) }, &findings)
        try lookUp(&findings)
        try follow(&findings)

        try save(operations: changes(), &findings)
        try delete(&findings)
        try lookUp(&findings)
        try follow(&findings)
        guard mirror.tombstones == deleted.count else {
            return findings.mismatch("\(zone): \(deleted.count) deleted, \(mirror.tombstones) tombstones")
        }
        mirror = ZoneMirror()
        try follow(&findings)
    }

    /// The expected content of the zone, in the order of creation.
    var content: [ExpectedRecord] { order.compactMap { expected[$0] } }

    private var zoneID: JSON { ["zoneName": .string(zone)] }

    // MARK: - Saving

    private mutating func create() {
        for shape in shapes {
            let counts = shape.filledFields.map { EdgeValues.all(of: $0.type, target: "", files).count }
            for index in 0..<max(3, (counts.max() ?? 0) + 1) {
                let name = "\(shape.name) \(index) – \(zone)"
                let target = "\(shape.name) \(index / 3 * 3) – \(zone)"
                order.append(Name(name))
                expected[Name(name)] = ExpectedRecord(
                    index: index, shape: shape, name: name, fields: values(of: shape, at: index, target: target))
            }
        }
    }

    /// The first record has a plain value in every field; in the following ones each field cycles through its values and through
    /// being absent, every field with another offset.
    private func values(of shape: RecordShape, at index: Int, target: String) -> [String: JSON] {
        var fields: [String: JSON] = [:]
        for (column, field) in shape.filledFields.enumerated() {
            let values = EdgeValues.all(of: field.type, target: target, files)
            let place = index == 0 ? 0 : (index + column) % (values.count + 1)
            if values.indices.contains(place) { fields[field.name] = values[place] }
        }
        return fields
    }

    private func createOperation(_ name: Name) -> JSON {
        guard let record = expected[name] else { return .absent }
        return [
            "operationType": "create",
            "record": [
                "recordName": .string(record.name), "recordType": .string(record.shape.name),
                "fields": written(record.fields, of: record),
            ],
        ]
    }

    /// Fields as a client would send them: with types, or without them if the schema already contains the fields.
    private func written(_ fields: [String: JSON], of record: ExpectedRecord) -> JSON {
        let isTagged = record.index % 2 == 0
        return .object(
            record.shape.filledFields.compactMap { field in
                guard let value = fields[field.name] else { return nil }
                return JSON.Member(
                    field.name,
                    [
                        "value": value, "type": isTagged ? .string(field.type.tag) : .absent,
                        "isEncrypted": field.isEncrypted ? true : .absent,
                    ])
            })
    }

    /// Sends operations in batches of random sizes; every one must succeed.
    private mutating func save(operations: [(Name, JSON)], _ findings: inout Findings) throws {
        var rest = operations[...]
        while !rest.isEmpty {
            let batch = rest.prefix(Int.random(in: 1...200, using: &generator))
            rest = rest.dropFirst(batch.count)
            let results = try session.post(
                "records/modify", .array(batch.map(\.1)), under: "operations", answersUnder: "records",
                with: ["zoneID": zoneID, "atomic": generator.once(in: 2) ? true : .absent])
            for ((name, _), record) in zip(batch, results) {
                guard var kept = expected[name] else { continue }
                kept.changeTag = record["recordChangeTag"].string ?? ""
                kept.createdAt = record["created"]["timestamp"].int64 ?? 0
                kept.modifiedAt = record["modified"]["timestamp"].int64 ?? 0
                expected[name] = kept
                findings.mismatch(ifAny: kept.difference(from: record, zone: zone))
            }
        }
    }

    // MARK: - Changing and deleting

    /// Changes a third of the records, in all four ways.
    private mutating func changes() -> [(Name, JSON)] {
        var operations: [(Name, JSON)] = []
        for (place, name) in order.enumerated() {
            guard var record = expected[name], record.index % 3 == 1 else { continue }
            let type = ["update", "replace", "forceUpdate", "forceReplace"][place / 3 % 4]
            let target = "\(record.shape.name) \(record.index / 3 * 3) – \(zone)"
            let fresh = values(of: record.shape, at: record.index + 3, target: target)
            let removed = type.hasSuffix("eplace") ? [] : record.fields.keys.filter { fresh[$0] == nil }.sorted()
            var fields = written(fresh, of: record)
            for (index, field) in removed.enumerated() { fields[field] = removal(index, record.shape, field) }
            operations.append(
                (
                    name,
                    [
                        "operationType": .string(type),
                        "record": [
                            "recordName": .string(record.name), "recordType": .string(record.shape.name),
                            "recordChangeTag": type.hasPrefix("force") ? .absent : .string(record.changeTag),
                            "fields": fields,
                        ],
                    ]
                ))
            record.fields = fresh
            expected[name] = record
        }
        return operations
    }

    /// The four ways to remove a field.
    private func removal(_ index: Int, _ shape: RecordShape, _ name: String) -> JSON {
        let type = shape.fields.first { $0.name == name }?.type.tag ?? ""
        return [["value": .null], [:], ["type": .string(type)], .null][index % 4]
    }

    /// Deletes a third of the records, in all three ways.
    private mutating func delete(_ findings: inout Findings) throws {
        let victims = order.filter { (expected[$0]?.index ?? 0) % 3 == 2 }
        let operations = victims.enumerated().map { place, name -> JSON in
            let record = expected[name]
            return [
                "operationType": place % 3 == 2 ? "forceDelete" : "delete",
                "record": [
                    "recordName": .string(name.text),
                    "recordChangeTag": place % 3 == 0 ? .string(record?.changeTag ?? "") : .absent,
                ],
            ]
        }
        for start in stride(from: 0, to: operations.count, by: 200) {
            let end = min(start + 200, operations.count)
            let results = try session.post(
                "records/modify", .array(Array(operations[start..<end])), under: "operations",
                answersUnder: "records", with: ["zoneID": zoneID])
            for (name, result) in zip(victims[start..<end], results)
            where result != ["recordName": .string(name.text), "deleted": true] {
                findings.mismatch("delete of \(name): answered \(result)")
            }
        }
        for name in victims { expected[name] = nil }
        deleted = victims
    }

    // MARK: - Reading

    private mutating func lookUp(_ findings: inout Findings) throws {
        let names = order.shuffled(using: &generator)
        for start in stride(from: 0, to: names.count, by: 200) {
            let part = names[start..<min(start + 200, names.count)]
            let results = try session.post(
                "records/lookup", .array(part.map { ["recordName": .string($0.text)] }), under: "records",
                answersUnder: "records", with: ["zoneID": zoneID])
            for (name, result) in zip(part, results) {
                if let record = expected[name] {
                    findings.mismatch(ifAny: record.difference(from: result, zone: zone))
                    try load(result, of: record, &findings)
                } else if result["serverErrorCode"] != "NOT_FOUND" || result["recordName"] != .string(name.text) {
                    findings.mismatch("lookup of \(name), which was deleted: answered \(result)")
                }
            }
        }
    }

    /// Downloads one of the files of a record.
    private mutating func load(_ answer: JSON, of record: ExpectedRecord, _ findings: inout Findings) throws {
        let fields = record.shape.filledFields.filter { $0.type.isAsset && record.fields[$0.name] != nil }
        guard let field = fields.randomElement(using: &generator) else { return }
        let value = answer["fields"][field.name]["value"]
        guard let file = value.isArray ? value.elements.randomElement(using: &generator) : value else { return }
        let difference = try files.difference(of: file, session)
        findings.mismatch(ifAny: difference.map { "\(record.name).\(field.name): \($0)" })
    }

    /// Follows the feed to its end; the copy must then equal the zone.
    private mutating func follow(_ findings: inout Findings) throws {
        try mirror.follow(zone, session, using: &generator)
        for name in mirror.records.keys where expected[name] == nil {
            findings.mismatch("the feed of \(zone) shows \(name), which does not exist")
        }
        for (name, record) in expected {
            guard let copy = mirror.records[name] else {
                findings.mismatch("the feed of \(zone) does not show \(name)")
                continue
            }
            findings.mismatch(ifAny: record.difference(from: copy, zone: zone).map { "feed: \($0)" })
        }
    }
}
