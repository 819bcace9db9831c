import NephosTesting

/// Files that one person has uploaded into one database, as values of fields.
struct UploadedFiles {
    /// What the server answered to each upload: an ordinary file first, then an empty one and one of many pieces.
    let values: [JSON]
    private let contents: [String: [UInt8]]

    static let none = UploadedFiles(values: [], contents: [:])

    private init(values: [JSON], contents: [String: [UInt8]]) {
        self.values = values
        self.contents = contents
    }

    /// - Throws: ``UnusableAnswer`` when one is not taken.
    init(_ session: Session, _ database: Database = .private) throws {
        let files = [
            Array("a picture of a cat".utf8), [], (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 7) },
        ]
        let tokens = JSON.array(files.map { _ in ["fieldName": "file"] })
        let offers = try session.post("assets/upload", ["tokens": tokens], database: database)["tokens"]
        var (values, contents): ([JSON], [String: [UInt8]]) = ([], [:])
        for (offer, file) in zip(offers.elements, files) {
            let answer = try Self.exchange("POST", offer["url"], file, session)
            let value = try answer.json["singleFile"]
            guard answer.status == 200, let checksum = value["fileChecksum"].string,
                value["size"] == .int(Int64(file.count))
            else { throw UnusableAnswer(description: "an upload answered \(answer.status), \(value)") }
            values.append(value)
            contents[checksum] = file
        }
        self.values = values
        self.contents = contents
    }

    /// What differs between a file and what the server sends for it, in words; nil when nothing does.
    func difference(of value: JSON, _ session: Session) throws -> String? {
        guard let checksum = value["fileChecksum"].string, let content = contents[checksum] else {
            return "a file of the checksum \(value["fileChecksum"]), which nobody uploaded"
        }
        let answer = try Self.exchange("GET", value["downloadURL"], nil, session)
        if answer.status == 200, answer.body == content { return nil }
        return "a file of \(content.count) bytes came back as \(answer.body.count), with status \(answer.status)"
    }

    private static func exchange(
        _ method: String, _ url: JSON, _ body: [UInt8]?, _ session: Session
    ) throws -> HTTPResponse {
        guard let target = url.string.flatMap({ url in url.firstRange(of: "/asset/").map { url[$0.lowerBound...] } })
        else {
            throw UnusableAnswer(description: "\(url) is no URL of a file")
        }
        let request = HTTPRequest(method, String(target), body: body)
        return try HTTPConnection(port: session.client.port).exchange(request)
    }
}
