import NephosTesting
import Testing

extension ServerTests {
    /// How an attacker once deleted a whole data set of an app: everyone had write access. docs/roles.md, "Lint"; docs/protocol.md
    /// T5.
    @Suite struct WipedDataTests {
        @Test("A right to wipe a data set is reported, and a wiped data set is restored with one command (S0-9)")
        func itComesBack() throws {
            let container = try freshContainer()
            let command = container.cloud.server.command
            try container.importSchema(
                #"RECORD TYPE Shortcut (n INT64, GRANT READ TO "_world", GRANT CREATE, WRITE TO "_icloud");"#)
            let lint = try command.run(["lint", container.id]).output
            #expect(lint.contains("Shortcut  every signed-in user can change and delete all records"))
            #expect(lint.contains("nephos role preset \(container.id) Shortcut author-edits"), "\(lint)")

            let (ada, mallory) = (try container.person("ada@example.org"), try container.person("mal@example.org"))
            let names = (0..<300).map { "shortcut\($0)" }
            func changeAll(_ client: CloudKitClient, _ operation: (Int) -> JSON) throws {
                for start in stride(from: 0, to: names.count, by: 150) {
                    let results = try client.modify((start..<start + 150).map(operation), zone: nil, in: .public)
                    #expect(results.allSatisfy { $0["serverErrorCode"].isAbsent })
                }
            }
            try changeAll(ada) {
                operation("create", names[$0], type: "Shortcut", fields: ["n": ["value": .int(Int64($0))]])
            }
            let before = try everything(of: container, names)
            try changeAll(mallory) { operation("forceDelete", names[$0], type: "Shortcut") }
            #expect(try everything(of: container, names).allSatisfy { $0 == .absent })

            let restore = ["trash", "restore", container.id, "--record-type", "Shortcut"]
            let done = try command.run(restore + ["--deleted-after", "2026-01-01T00:00:00Z"])
            #expect(done.status == 0 && done.errors.contains("300 of 300 records were restored."), "\(done)")
            #expect(try everything(of: container, names) == before)
        }

        /// What everyone reads of these records: fields and creators; absent for missing ones.
        private func everything(of container: TestContainer, _ names: [String]) throws -> [JSON] {
            var found: [JSON] = []
            for start in stride(from: 0, to: names.count, by: 150) {
                let records = try container.app.lookUp(Array(names[start..<start + 150]), zone: nil, in: .public)
                found += records.map { record in
                    record["serverErrorCode"].isAbsent
                        ? [record["recordName"], record["fields"], record["created"]] : .absent
                }
            }
            return found
        }
    }
}
