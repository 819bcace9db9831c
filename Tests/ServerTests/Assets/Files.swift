import NephosTesting
import Testing

extension CloudKitClient {
    /// Requests one upload URL.
    func uploadURL(
        type: String? = "Note", field: String = "picture", in database: Database = .private,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> String {
        let token: JSON = ["recordType": type.map { .string($0) } ?? .absent, "fieldName": .string(field)]
        let answer = try answer("assets/upload", ["tokens": [token]], in: database, sourceLocation: sourceLocation)
        return try #require(answer["tokens"][0]["url"].string, "\(answer)", sourceLocation: sourceLocation)
    }

    /// Uploads a file, and returns the value for a field.
    func upload(
        _ content: [UInt8], contentType: String? = nil, in database: Database = .private,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> JSON {
        let url = try uploadURL(in: database, sourceLocation: sourceLocation)
        let response = try load("POST", url, contentType.map { [HTTPHeader("Content-Type", $0)] } ?? [], content)
        let file = try expectSuccess(response, sourceLocation: sourceLocation)["singleFile"]
        #expect(file["size"] == .int(Int64(content.count)), "\(file)", sourceLocation: sourceLocation)
        return file
    }

    /// The response of the downloadURL of a field's value, with a file name.
    func download(_ field: JSON, as name: String = "file", _ headers: [HTTPHeader] = []) throws -> HTTPResponse {
        let url = try #require(field["value"]["downloadURL"].string, "\(field)")
        return try load("GET", url.replacing("${f}", with: name), headers)
    }
}

/// Arbitrary bytes, the same each time.
func content(_ count: Int, seed: UInt64 = 1) -> [UInt8] {
    var generator = SeededGenerator(seed: seed)
    return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
}
