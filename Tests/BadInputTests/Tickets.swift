import NephosTesting

/// The values of `t=` in the URLs of files: of an upload, and of a download of a record's field `file`.
struct Tickets: Sendable {
    let upload: String
    let download: String

    /// Uploads a file and saves it in a record `filed` of the default zone.
    init(of person: (container: String, apiToken: String, webAuthToken: String), port: Int) throws {
        let client = CloudKitClient(
            port: port, container: person.container,
            credentials: .person(apiToken: person.apiToken, webAuthToken: person.webAuthToken))
        let offer = try client.post("assets/upload", .private, ["tokens": [["fieldName": "file"]]]).json
        upload = try Self.ticket(in: offer["tokens"][0]["url"])
        let target = "/asset/1/\(person.container)/development/upload?t=\(upload)"
        let value = try HTTPConnection(port: port).exchange(HTTPRequest("POST", target, body: [1, 2, 3])).json[
            "singleFile"]
        let operation: JSON = [
            "operationType": "create",
            "record": ["recordName": "filed", "recordType": "Filed", "fields": ["file": ["value": value]]],
        ]
        let saved = try client.post("records/modify", .private, ["operations": [operation]]).json
        download = try Self.ticket(in: saved["records"][0]["fields"]["file"]["value"]["downloadURL"])
    }

    private static func ticket(in url: JSON) throws -> String {
        guard let match = url.string?.firstMatch(of: /[?]t=(.+)$/) else { throw NoURL(answer: "\(url)") }
        return String(match.1)
    }

    struct NoURL: Error { var answer: String }
}
