import Foundation
import NephosTesting
import Testing

extension ServerTests {
    /// docs/roles.md, P9: the output of `nephos role explain` matches what happens to requests.
    @Suite struct ExplainTests {
        private static let ada = "ada@example.org"

        static let grants = [
            #"GRANT WRITE TO "_creator", GRANT CREATE TO "_icloud", GRANT READ TO "_world""#,
            #"GRANT READ TO "_world", GRANT READ, CREATE, WRITE TO Admin"#,
            #"GRANT CREATE TO "_icloud", GRANT READ, WRITE TO "_creator", GRANT READ TO Admin"#,
            #"GRANT READ, CREATE TO "_icloud", GRANT WRITE TO "_creator", GRANT WRITE TO Admin"#,
            "GRANT CREATE TO Admin",
        ]

        @Test("The explained rights of every person equal those that requests have (S0-26)", arguments: grants)
        func whatIsExplainedHappens(grants: String) throws {
            let container = try freshContainer()
            let (ada, grace) = (try container.person(Self.ada), try container.person("grace@example.org"))
            try container.importSchema(TestContainer.recordType("Item", []))
            for (client, name) in [(ada, "ada's"), (grace, "grace's")] {
                expectRecord(try client.modify(item("create", name), zone: nil, in: .public), name: name, type: "Item")
            }
            try container.importSchema("CREATE ROLE Admin; RECORD TYPE Item (\(grants));")
            try container.cloud.server.command("role", "assign", container.id, "Admin", Self.ada)

            // The subject of a line, and the record that it reads and writes.
            let subjects = [
                "anybody": (container.app, "ada's"), "signed in": (grace, "ada's"),
                "creator, own records": (grace, "grace's"), "role Admin": (ada, "grace's"),
                Self.ada: (ada, "grace's"), "\(Self.ada), own records": (ada, "ada's"),
            ]
            let lines = try container.cloud.server.command("role", "explain", container.id, "Item", Self.ada)
                .split(separator: "\n").dropFirst()
            var explained: Set<String> = []
            for line in lines {
                let cells = line.split(separator: #/ {2,}/#).map(String.init)
                try #require(cells.count == 4, "\(line)")
                let (client, name) = try #require(subjects[cells[0]], "\(line)")
                #expect(try may(client, cells[1], name) == (cells[2] == "yes"), "\(line)")
                #expect(cells[3].hasPrefix("GRANT ") == (cells[2] == "yes"), "it says by which grant: \(line)")
                explained.insert(cells[0])
            }
            let isGranted = grants.contains("Admin")
            #expect(explained == Set(subjects.keys).subtracting(isGranted ? [] : ["role Admin"]))
        }

        private func item(_ kind: String, _ name: String) -> JSON { operation(kind, name, type: "Item") }

        private func may(_ client: CloudKitClient, _ right: String, _ name: String) throws -> Bool {
            if right == "read" {
                return try client.lookUp(name, zone: nil, in: .public)["serverErrorCode"].isAbsent
            }
            let isNew = right == "create"
            let operation = isNew ? item("create", UUID().uuidString) : item("forceUpdate", name)
            let answer = try client.post("records/modify", .public, ["operations": [operation]]).json
            return answer["serverErrorCode"].isAbsent && answer["records"][0]["serverErrorCode"].isAbsent
        }
    }
}
