/// An unexpected answer about files.
package struct UnusableFileAnswer: Error, CustomStringConvertible {
    package let description: String

    package init(description: String) { self.description = description }
}

extension CloudKitClient {
    /// Requests upload URLs for a field.
    ///
    /// - Throws: ``UnusableFileAnswer`` unless the same number is returned.
    package func uploadURLs(_ count: Int = 1, field: String, in database: Database = .private) throws -> [String] {
        let tokens = JSON.array((0..<count).map { _ in ["fieldName": .string(field)] })
        let response = try post("assets/upload", database, ["tokens": tokens])
        let urls = try response.json["tokens"].elements.compactMap { $0["url"].string }
        guard response.status == 200, urls.count == count else {
            throw UnusableFileAnswer(description: "assets/upload answered \(response.status): \(try response.json)")
        }
        return urls
    }

    /// Uploads a file, and returns the value for a field.
    ///
    /// - Throws: ``UnusableFileAnswer`` unless the complete file is accepted.
    package func send(file content: [UInt8], to url: String) throws -> JSON {
        let response = try load("POST", url, [], content)
        let value = try response.json["singleFile"]
        guard response.status == 200, value["size"] == .int(Int64(content.count)) else {
            throw UnusableFileAnswer(description: "an upload returned \(response.status): \(try response.json)")
        }
        return value
    }

    /// Sends a request to a URL that the server returned, without credentials.
    package func load(
        _ method: String = "GET", _ url: String, _ headers: [HTTPHeader] = [], _ body: [UInt8]? = nil
    ) throws -> HTTPResponse {
        try open().exchange(HTTPRequest(method, CloudKitClient.target(of: url), headers: headers, body: body))
    }

    /// The path and query of a file's URL. - Throws: ``UnusableFileAnswer`` if it is not one.
    package static func target(of url: String) throws -> String {
        guard let start = url.firstRange(of: "/asset/")?.lowerBound else {
            throw UnusableFileAnswer(description: "\(url) is not the URL of a file")
        }
        return String(url[start...])
    }
}
