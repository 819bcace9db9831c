/// An answer about files that is none that was asked for.
package struct UnusableFileAnswer: Error, CustomStringConvertible {
    package let description: String

    package init(description: String) { self.description = description }
}

extension CloudKitClient {
    /// Asks for upload URLs for a field.
    ///
    /// - Throws: ``UnusableFileAnswer`` unless it gets as many.
    package func uploadURLs(_ count: Int = 1, field: String, in database: Database = .private) throws -> [String] {
        let tokens = JSON.array((0..<count).map { _ in ["fieldName": .string(field)] })
        let response = try post("assets/upload", database, ["tokens": tokens])
        let urls = try response.json["tokens"].elements.compactMap { $0["url"].string }
        guard response.status == 200, urls.count == count else {
            throw UnusableFileAnswer(description: "assets/upload answered \(response.status): \(try response.json)")
        }
        return urls
    }

    /// Sends a file, and answers the value that a field takes.
    ///
    /// - Throws: ``UnusableFileAnswer`` unless the file is taken whole.
    package func send(file content: [UInt8], to url: String) throws -> JSON {
        let response = try load("POST", url, [], content)
        let value = try response.json["singleFile"]
        guard response.status == 200, value["size"] == .int(Int64(content.count)) else {
            throw UnusableFileAnswer(description: "an upload answered \(response.status): \(try response.json)")
        }
        return value
    }

    /// Sends a request to a URL that the server has answered, without credentials.
    package func load(
        _ method: String = "GET", _ url: String, _ headers: [HTTPHeader] = [], _ body: [UInt8]? = nil
    ) throws -> HTTPResponse {
        try open().exchange(HTTPRequest(method, CloudKitClient.target(of: url), headers: headers, body: body))
    }

    /// What a URL of a file has behind the name of the server. - Throws: ``UnusableFileAnswer`` when it is none.
    package static func target(of url: String) throws -> String {
        guard let start = url.firstRange(of: "/asset/")?.lowerBound else {
            throw UnusableFileAnswer(description: "\(url) is no URL of a file")
        }
        return String(url[start...])
    }
}
