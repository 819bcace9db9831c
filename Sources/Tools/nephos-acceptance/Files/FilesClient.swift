import NephosTesting

/// A user who saves files in records of the public database, each identified by a number (``SmallFile``).
struct FilesClient {
    let wire: CloudKitClient

    init(_ wire: CloudKitClient) { self.wire = wire }

    static func name(_ number: Int) -> String { "picture-\(number)" }

    /// - Parameter first: The offset of content numbers.
    /// - Throws: ``UnusableFileAnswer``, ``UnusableAnswer``.
    func save(_ numbers: [Int], from first: Int) throws {
        let urls = try wire.uploadURLs(numbers.count, field: "file", in: .public)
        let operations = try zip(numbers, urls).map { number, url in
            Self.saving(Self.name(number), try wire.send(file: SmallFile.content(first + number), to: url))
        }
        try modify(operations)
    }

    func save(_ name: String, _ file: JSON) throws { try modify([Self.saving(name, file)]) }

    func delete(_ numbers: [Int]) throws {
        try modify(
            numbers.map {
                ["operationType": "forceDelete", "record": ["recordName": .string(Self.name($0))]]
            })
    }

    /// Downloads the files of records. - Returns: Differences from the saved files, in words.
    func differences(_ numbers: [Int], from first: Int) throws -> [String] {
        let urls = try downloadURLs(of: numbers.map(Self.name))
        return try zip(numbers, urls).compactMap { number, url in
            let answer = try wire.load("GET", url)
            if answer.status == 200, answer.body == SmallFile.content(first + number) { return nil }
            return "file \(first + number) of record \(number): status \(answer.status), \(answer.body.count) bytes"
        }
    }

    func downloadURLs(of names: [String]) throws -> [String] {
        let body: JSON = ["records": .array(names.map { ["recordName": .string($0)] })]
        let response = try wire.post("records/lookup", .public, body)
        let urls = try response.json["records"].elements.compactMap {
            $0["fields"]["file"]["value"]["downloadURL"].string
        }
        guard urls.count == names.count else {
            throw UnusableAnswer(description: "records/lookup answered \(response.status), and \(urls.count) files")
        }
        return urls
    }

    private func modify(_ operations: [JSON]) throws {
        let response = try wire.post("records/modify", .public, ["operations": .array(operations)])
        let records = try response.json["records"].elements
        guard records.count == operations.count, records.allSatisfy({ $0["serverErrorCode"].isAbsent }) else {
            let refused = records.first { !$0["serverErrorCode"].isAbsent } ?? .absent
            throw UnusableAnswer(description: "records/modify answered \(response.status): \(refused)")
        }
    }

    private static func saving(_ name: String, _ file: JSON) -> JSON {
        [
            "operationType": "forceReplace",
            "record": [
                "recordName": .string(name), "recordType": "Picture", "fields": ["file": ["value": file]],
            ],
        ]
    }
}
