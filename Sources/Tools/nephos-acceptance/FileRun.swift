import CloudKitWire
import NephosTesting

/// One schema file in a container of its own: two users with two zones each, and their own user records.
struct FileRun {
    let file: String
    let path: String
    let shapes: [RecordShape]
    let container: TestContainer

    private static let zones = ["Notebook", "Zweite Zone – 二 🗂"]

    func run(seed: UInt64) -> Findings {
        var findings = Findings(file: file)
        findings.types = shapes.count { !$0.isShare }
        findings.leftOut = shapes.flatMap(\.leftOut)
        do {
            try SchemaRun(path: path, container: container).run(&findings)
            let people = try ["ada@example.org", "grace@example.org"].map { Session(client: try container.person($0)) }
            for (number, session) in people.enumerated() {
                try runPerson(session, seed: seed + UInt64(number), &findings)
            }
            try PublicRun(sessions: people, shapes: shapes).run(&findings)
            let production = try TestContainer(id: container.id, environment: "production", cloud: container.cloud)
            let live = Session(client: try production.person("ada@example.org"))
            try ProductionRun(session: live, shapes: shapes).run(&findings)
        } catch {
            findings.mismatch("stopped: \(error)")
        }
        return findings
    }

    private func runPerson(_ session: Session, seed: UInt64, _ findings: inout Findings) throws {
        let operations = FileRun.zones.map { name -> JSON in
            ["operationType": "create", "zone": ["zoneID": ["zoneName": .string(name)]]]
        }
        let created = try session.post("zones/modify", ["operations": .array(operations)])
        for (zone, name) in zip(created["zones"].elements, FileRun.zones)
        where zone["zoneID"]["zoneName"] != .string(name) || !zone["serverErrorCode"].isAbsent {
            findings.mismatch("zones/modify for \(name) answered \(zone)")
        }
        let filled = shapes.filter { !$0.isUsers && !$0.isShare }
        var content: [(name: String, records: [ExpectedRecord])] = []
        let files = try UploadedFiles(session)
        for (number, zone) in FileRun.zones.enumerated() {
            var run = ZoneRun(
                session: session, zone: zone, shapes: filled, files, seed: seed << 8 + UInt64(number))
            try run.run(&findings)
            content.append((zone, run.content))
        }
        var queries = QueryRun(session: session, zones: content, generator: SeededGenerator(seed: seed &* 31))
        for shape in filled { try queries.run(shape, &findings) }
        try checkZoneList(session, &findings)
        for shape in shapes where shape.isUsers { try updateUser(shape, session, &findings) }
    }

    /// The database's feed must name both zones, in any number of pages.
    private func checkZoneList(_ session: Session, _ findings: inout Findings) throws {
        var names: Set<String> = []
        var token: JSON = .absent
        var moreComing = true
        while moreComing {
            let page = try session.post("changes/database", ["syncToken": token, "resultsLimit": 1])
            names.formUnion(page["zones"].elements.compactMap { $0["zoneID"]["zoneName"].string })
            token = page["syncToken"]
            guard token.string != nil, let more = page["moreComing"].bool else {
                throw UnusableAnswer(description: "changes/database answered \(page)")
            }
            moreComing = more
        }
        if !names.isSuperset(of: FileRun.zones) { findings.mismatch("changes/database names \(names.sorted())") }
    }

    /// Writes the fields that the app added to `Users` into the caller's own record, in the public database.
    private func updateUser(_ shape: RecordShape, _ session: Session, _ findings: inout Findings) throws {
        let caller = try session.client.get("users/caller", .public).json
        guard let name = caller["userRecordName"].string else {
            return findings.mismatch("users/caller answered \(caller)")
        }
        let files = try UploadedFiles(session, .public)
        var record = ExpectedRecord(index: 0, shape: shape, name: name, fields: [:])
        var fields: JSON = [:]
        for field in shape.filledFields where !field.isEncrypted {
            record.fields[field.name] = EdgeValues.all(of: field.type, target: name, files)[0]
            fields[field.name] = ["value": record.fields[field.name] ?? .null, "type": .string(field.type.tag)]
        }
        let operation: JSON = [
            "operationType": "forceUpdate",
            "record": ["recordName": .string(name), "recordType": "Users", "fields": fields],
        ]
        let saved = try session.post("records/modify", ["operations": [operation]], database: .public)["records"][0]
        findings.mismatch(ifAny: record.difference(from: saved, zone: nil))
        record.changeTag = saved["recordChangeTag"].string ?? ""
        let lookUp: JSON = ["records": [["recordName": .string(name)]]]
        let read = try session.post("records/lookup", lookUp, database: .public)["records"][0]
        findings.mismatch(ifAny: record.difference(from: read, zone: nil))
        findings.records += 1
    }
}
