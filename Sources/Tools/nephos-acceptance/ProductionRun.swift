import CloudKitWire
import NephosTesting

/// Production after the schema was deployed: records of every type can be saved, and nothing undeployed can.
struct ProductionRun {
    let session: Session
    let shapes: [RecordShape]

    private static let zone = "Production"

    func run(_ findings: inout Findings) throws {
        let zoneID: JSON = ["zoneName": .string(Self.zone)]
        _ = try session.post(
            "zones/modify", ["operations": [["operationType": "create", "zone": ["zoneID": zoneID]]]])
        let files = try UploadedFiles(session)
        for shape in shapes where !shape.isUsers && !shape.isShare {
            let record = ExpectedRecord(
                index: 0, shape: shape, name: "\(shape.name) live", fields: Self.plainValues(of: shape, files))
            let saved = try save(record, zoneID)
            findings.records += 1
            findings.mismatch(ifAny: record.difference(from: saved, zone: Self.zone).map { "production: \($0)" })
            let lookUp: JSON = ["zoneID": zoneID, "records": [["recordName": .string(record.name)]]]
            let read = try session.post("records/lookup", lookUp)["records"][0]
            findings.mismatch(ifAny: record.difference(from: read, zone: Self.zone).map { "production: \($0)" })
        }
        let stranger = ExpectedRecord(index: 0, shape: RecordShape(name: "NeverDeployed"), name: "x", fields: [:])
        let refused = try save(stranger, zoneID)
        if refused["serverErrorCode"] != "BAD_REQUEST" {
            findings.mismatch("production took a type that was not deployed: \(refused)")
        }
    }

    private static func plainValues(of shape: RecordShape, _ files: UploadedFiles) -> [String: JSON] {
        var fields: [String: JSON] = [:]
        for field in shape.filledFields { fields[field.name] = EdgeValues.plain(of: field.type, files) }
        return fields
    }

    private func save(_ record: ExpectedRecord, _ zoneID: JSON) throws -> JSON {
        let fields = record.shape.filledFields.compactMap { field in
            record.fields[field.name].map { value in JSON.Member(field.name, ["value": value]) }
        }
        let operation: JSON = [
            "operationType": "create",
            "record": [
                "recordName": .string(record.name), "recordType": .string(record.shape.name),
                "fields": .object(fields),
            ],
        ]
        return try session.post(
            "records/modify", .array([operation]), under: "operations", answersUnder: "records",
            with: ["zoneID": zoneID])[0]
    }
}
