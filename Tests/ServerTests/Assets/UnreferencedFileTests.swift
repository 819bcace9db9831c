import NephosTesting
import ServerTesting
import Testing

extension ServerTests {
    /// docs/protocol.md U13: unsaved uploads may not fill the disk.
    @Suite struct UnreferencedFileTests {
        private let cloud: TestCloud
        private let container: TestContainer

        init() throws {
            cloud = try TestCloud(inProcess: ["NEPHOS_UNHELD_PERSON_MB": "1", "NEPHOS_UNHELD_CONTAINER_MB": "2"])
            container = try cloud.container()
        }

        private func isRefused(_ response: HTTPResponse, naming limit: Int) throws -> Bool {
            let reason = try response.json["reason"].string ?? ""
            return [400, 413].contains(response.status) && reason.contains("LIMIT") && reason.contains("\(limit) bytes")
        }

        private func ticket(_ person: CloudKitClient, _ database: Database = .private) throws -> HTTPResponse {
            try person.post("assets/upload", database, ["tokens": [["fieldName": "file"]]])
        }

        @Test func aPersonsUnheldFilesAreBoundedUntilRecordsHoldThem() throws {
            let (ada, bob) = (try container.person("ada@example.org"), try container.person("bob@example.org"))
            let url = try ada.uploadURLs(field: "file", in: .public)[0]
            var values: [JSON] = []
            for number in 0..<2 { values.append(try ada.send(file: content(600_000, number), to: url)) }
            // The ticket is still valid, and so is that of another database, but there is no space.
            #expect(try isRefused(try ada.load("POST", url, [], content(10, 9)), naming: 1 << 20))
            for database in [Database.public, .private] {
                #expect(try isRefused(try ticket(ada, database), naming: 1 << 20))
            }
            // Bob's space is separate.
            _ = try bob.send(file: content(10, 8), to: try bob.uploadURLs(field: "file", in: .public)[0])
            let saved = try ada.post(
                "records/modify", .public,
                [
                    "operations": [
                        [
                            "operationType": "create",
                            "record": ["recordType": "Photo", "fields": ["file": ["value": values[0]]]],
                        ]
                    ]
                ])
            #expect(saved.status == 200)
            #expect(try ticket(ada).status == 200)
            _ = try ada.send(file: content(20, 7), to: url)
        }

        @Test func allUnheldFilesOfAContainerAreBoundedTogether() throws {
            for number in 0..<3 {
                let person = try container.person("person\(number)@example.org")
                _ = try person.send(file: content(900_000, number), to: try person.uploadURLs(field: "file")[0])
            }
            let last = try container.person("last@example.org")
            #expect(try isRefused(try ticket(last), naming: 2 << 20))
            // Another container has its own space.
            let other = try cloud.container().person("last@example.org")
            #expect(try ticket(other).status == 200)
        }

        @Test("Files that one person has saved and deleted again limit nobody else")
        func lettingGo() throws {
            let ada = try container.person("ada@example.org")
            let url = try ada.uploadURLs(field: "file")[0]
            for number in 0..<3 {
                let value = try ada.send(file: content(900_000, number), to: url)
                try modify(ada, "create", number, ["file": ["value": value]])
            }
            for number in 0..<3 { try modify(ada, "forceDelete", number, .absent) }
            #expect(try isRefused(try ticket(ada), naming: 1 << 20))
            #expect(try ticket(try container.person("bob@example.org")).status == 200)
        }

        private func modify(_ person: CloudKitClient, _ operation: String, _ number: Int, _ fields: JSON) throws {
            let record: JSON = ["recordName": .string("p\(number)"), "recordType": "Photo", "fields": fields]
            let operations: JSON = [["operationType": .string(operation), "record": record]]
            #expect(try person.post("records/modify", .private, ["operations": operations]).status == 200)
        }

        private func content(_ count: Int, _ number: Int) -> [UInt8] { [UInt8](repeating: UInt8(number), count: count) }
    }
}
