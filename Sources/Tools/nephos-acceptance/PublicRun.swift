import CloudKitWire
import NephosTesting

/// The public database with the grants of the file: who may create records, and who sees whose.
struct PublicRun {
    let sessions: [Session]
    let shapes: [RecordShape]

    func run(_ findings: inout Findings) throws {
        let files = try sessions.map { try UploadedFiles($0, .public) }
        for shape in shapes where !shape.isUsers && !shape.isShare { try run(shape, files, &findings) }
    }

    /// - Parameter files: The files of each user.
    private func run(_ shape: RecordShape, _ files: [UploadedFiles], _ findings: inout Findings) throws {
        let mayCreate = shape.grants["_icloud"]?.contains("CREATE") ?? false
        var names: [[String]] = []
        for (person, session) in sessions.enumerated() {
            let own = (0..<2).map { "\(shape.name) \($0) of \(person)" }
            let results = try session.post(
                "records/modify", ["operations": .array(own.map { create($0, shape, files[person]) })],
                database: .public)["records"]
            for (name, result) in zip(own, results.elements) {
                let isSaved = result["serverErrorCode"].isAbsent
                if isSaved { findings.records += 1 }
                let isRight = isSaved == mayCreate && (isSaved || result["serverErrorCode"] == "ACCESS_DENIED")
                if !isRight {
                    findings.mismatch("public \(name): signed-in users can create: \(mayCreate); answered \(result)")
                }
            }
            names.append(mayCreate ? own : [])
        }
        guard shape.mayListAll
        else { return }
        let everybody = ["_world", "_icloud"].contains { shape.grants[$0]?.contains("READ") ?? false }
        let creator = shape.grants["_creator"]?.contains("READ") ?? false
        for (person, session) in sessions.enumerated() {
            let visible = everybody ? names.flatMap { $0 } : creator ? names[person] : nil
            try query(shape, session, visible?.sorted(), &findings)
        }
    }

    private func query(
        _ shape: RecordShape, _ session: Session, _ visible: [String]?, _ findings: inout Findings
    ) throws {
        let response = try session.client.post(
            "records/query", .public, ["query": ["recordType": .string(shape.name)], "desiredKeys": []])
        findings.queries += 1
        let answer = try response.json
        guard let visible else {
            if answer["serverErrorCode"] != "ACCESS_DENIED" {
                findings.mismatch("public \(shape.name) grants no READ: answered \(answer)")
            }
            return
        }
        let found = answer["records"].elements.compactMap { $0["recordName"].string }
        if response.status != 200 || found != visible {
            findings.mismatch("public \(shape.name): shows \(found) (\(response.status)), not \(visible)")
        }
    }

    private func create(_ name: String, _ shape: RecordShape, _ files: UploadedFiles) -> JSON {
        let fields = shape.filledFields.filter { !$0.isEncrypted }.compactMap { field in
            EdgeValues.plain(of: field.type, files).map { value in
                JSON.Member(field.name, ["value": value, "type": .string(field.type.tag)])
            }
        }
        return [
            "operationType": "create",
            "record": [
                "recordName": .string(name), "recordType": .string(shape.name), "fields": .object(fields),
            ],
        ]
    }
}
