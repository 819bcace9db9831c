import NephosTesting

extension Wire {
    /// Uploads the files of those items that have one. They are not visible to anybody yet.
    ///
    /// - Returns: The operations of all items, with the responses to the uploads.
    func upload(_ items: [Item], _ database: Database, zone: String?) throws -> [JSON] {
        let senders = items.filter { $0.attachment != nil }
        var urls = try uploadURLs(senders, database, zone: zone).makeIterator()
        return try items.map { item in
            guard let content = item.attachment?.content else { return item.operation(file: .null) }
            let answer = try Wire.body(of: "an upload", load("POST", urls.next() ?? .absent, content))
            guard answer["singleFile"]["size"].int64 == Int64(content.count) else {
                throw WrongAnswer(description: "\(content.count) bytes were uploaded: \(answer)")
            }
            return item.operation(file: answer["singleFile"])
        }
    }

    /// The upload URLs for the files of these items, in order, from one request.
    private func uploadURLs(_ items: [Item], _ database: Database, zone: String?) throws -> [JSON] {
        guard !items.isEmpty else { return [] }
        let tokens = items.map { item -> JSON in
            ["recordName": .string(item.name), "recordType": "Item", "fieldName": "file"]
        }
        let answer = try post(
            "assets/upload", database,
            ["tokens": .array(tokens), "zoneID": zone.map { ["zoneName": .string($0)] } ?? .absent])
        return answer["tokens"].elements.map { $0["url"] }
    }

    /// Downloads the file that a record must have.
    ///
    /// - Throws: ``WrongAnswer`` if its bytes differ from those uploaded.
    func requireFile(of record: JSON) throws {
        guard let attachment = Attachment(of: try Item.value(of: record)) else { return }
        let response = try load("GET", record["fields"]["file"]["value"]["downloadURL"])
        guard response.status == 200, response.body == attachment.content else {
            throw WrongAnswer(
                description:
                    "a damaged record: its file answers \(response.status), \(response.body.count) bytes: \(record)")
        }
    }

    /// Sends a request to a URL that the server returned, which needs no credentials.
    private func load(_ method: String, _ url: JSON, _ body: [UInt8]? = nil) throws -> HTTPResponse {
        guard let url = url.string else { throw WrongAnswer(description: "no URL of a file: \(url)") }
        return try client.load(method, url, [], body)
    }
}
