import Foundation
import NephosTesting

/// A server whose records contain files, each in the field `file` of a record of zone New.
struct FileCloud {
    let cloud: BenchCloud
    /// Path and query of an upload URL, which is valid for 15 minutes and any number of files.
    private(set) var uploadTarget = ""

    init() throws {
        cloud = try BenchCloud(environment: [
            "NEPHOS_ASSET_MB": "1100", "NEPHOS_UNHELD_PERSON_MB": "1000000", "NEPHOS_UNHELD_CONTAINER_MB": "1000000",
        ])
        try askWhereToUpload()
    }

    var process: Int32 { get throws { try cloud.server.process.id } }

    /// The base URL of the file server.
    var origin: String { "http://127.0.0.1:\(cloud.server.port)" }

    /// Paths of the files that the server currently stores.
    var stored: Set<String> {
        get throws {
            let folder = cloud.server.command.data + "/assets"
            let names = try FileManager.default.subpathsOfDirectory(atPath: folder)
            // Names of files are long, names of folders and markers are not.
            return Set(names.filter { ($0.split(separator: "/").last?.count ?? 0) > 64 }.map { "\(folder)/\($0)" })
        }
    }

    mutating func askWhereToUpload() throws {
        let answer = try cloud.post("assets/upload", ["tokens": [["recordType": "Photo", "fieldName": "file"]]])
        uploadTarget = try target(answer.json["tokens"][0]["url"])
    }

    /// Uploads a file. - Returns: The value for a field.
    func upload(_ content: [UInt8], on connection: HTTPConnection) throws -> JSON {
        let response = try connection.exchange(HTTPRequest("POST", uploadTarget, body: content))
        guard response.status == 200 else { throw Wrk.Failure(description: "upload: \(response.status)") }
        return try response.json["singleFile"]
    }

    /// Saves a new record for each file.
    func save(_ files: [(name: String, file: JSON)], on client: CloudKitClient? = nil) throws {
        let operations = files.map { name, file in
            let record: JSON = [
                "recordName": .string(name), "recordType": "Photo", "fields": ["file": ["value": file]],
            ]
            return ["operationType": "create", "record": record] as JSON
        }
        let body: JSON = ["zoneID": ["zoneName": "New"], "operations": .array(operations)]
        let response = try (client ?? cloud.client).post("records/modify", .private, body)
        // Rejected records are returned among the saved ones.
        guard response.status == 200, try response.json["records"].elements.allSatisfy({ $0["reason"].isAbsent }) else {
            throw Wrk.Failure(description: "save: \(response.status) \(String(decoding: response.body, as: UTF8.self))")
        }
    }

    /// The download URLs of records' files for the next five minutes: path and query of each.
    func downloadTargets(_ names: [String]) throws -> [String] {
        try stride(from: 0, to: names.count, by: 200).flatMap { start in
            let records = names[start..<min(start + 200, names.count)].map { ["recordName": .string($0)] as JSON }
            let answer = try cloud.post(
                "records/lookup", ["zoneID": ["zoneName": "New"], "records": .array(records)])
            return try answer.json["records"].elements.map {
                try target($0["fields"]["file"]["value"]["downloadURL"]).replacing("${f}", with: "photo")
            }
        }
    }

    private func target(_ url: JSON) throws -> String {
        try CloudKitClient.target(of: url.string ?? "")
    }
}
