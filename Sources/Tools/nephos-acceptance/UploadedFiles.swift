import NephosTesting

/// Files that one user has uploaded to one database, as values of fields.
struct UploadedFiles {
    /// The server's response to each upload: first an ordinary file, then an empty one and one of many pieces.
    let values: [JSON]
    private let contents: [String: [UInt8]]

    static let none = UploadedFiles(values: [], contents: [:])

    private init(values: [JSON], contents: [String: [UInt8]]) {
        self.values = values
        self.contents = contents
    }

    /// - Throws: ``UnusableFileAnswer`` if an upload is rejected.
    init(_ session: Session, _ database: Database = .private) throws {
        let files = [
            Array("a picture of a cat".utf8), [], (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 7) },
        ]
        let client = session.client
        let urls = try client.uploadURLs(files.count, field: "file", in: database)
        var (values, contents): ([JSON], [String: [UInt8]]) = ([], [:])
        for (url, file) in zip(urls, files) {
            let value = try client.send(file: file, to: url)
            guard let checksum = value["fileChecksum"].string else {
                throw UnusableFileAnswer(description: "\(value) has no checksum")
            }
            values.append(value)
            contents[checksum] = file
        }
        self.values = values
        self.contents = contents
    }

    /// The difference between a file and its download, in words; nil if there is none.
    func difference(of value: JSON, _ session: Session) throws -> String? {
        guard let checksum = value["fileChecksum"].string, let content = contents[checksum] else {
            return "a file with the checksum \(value["fileChecksum"]), which was never uploaded"
        }
        let answer = try session.client.load("GET", value["downloadURL"].string ?? "")
        if answer.status == 200, answer.body == content { return nil }
        return "a file of \(content.count) bytes was returned with \(answer.body.count), and status \(answer.status)"
    }
}
