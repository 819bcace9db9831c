import NephosTesting
import Testing

/// Files that no record could contain, and invalid tickets (docs/protocol.md, "Assets").
extension BadInput {
    @Suite struct Assets {
        private static func upload(
            _ description: String, _ body: JSON, _ reason: String, _ database: Database = .private
        ) -> Row {
            .json("upload: \(description)", "assets/upload", body, .refused(400, "BAD_REQUEST", reason), database)
        }

        private static func token(_ members: JSON) -> JSON { ["tokens": [members]] }

        static let requests: [Row] = [
            upload("nothing", [:], "tokens"), upload("tokens that are no list", ["tokens": "x"], "array"),
            upload("a token that is none", ["tokens": [1]], "object"),
            upload("no field", token(["recordType": "Note"]), "fieldName"),
            upload("a field that holds text", token(["recordType": "Note", "fieldName": "plain"]), "plain"),
            upload("a type that cannot be", token(["recordType": "a b", "fieldName": "file"]), ""),
            upload("a name that cannot be", token(["recordName": "", "fieldName": "file"]), ""),
            upload("201 of them", ["tokens": .array((0..<201).map { _ in ["fieldName": "file"] })], "200"),
            upload("in the shared database", token(["fieldName": "file"]), "shared", .shared),
            .json(
                "upload: a zone that is not there", "assets/upload",
                ["tokens": [["fieldName": "file"]], "zoneID": ["zoneName": "None"]],
                .refused(404, "ZONE_NOT_FOUND", "")),
            .json("rereference: nothing", "assets/rereference", [:], .refused(400, "BAD_REQUEST", "assets")),
            .json(
                "rereference: a record that is not there", "assets/rereference",
                ["assets": [["recordName": "nobody", "fieldName": "file"]]], .refused(400, "BAD_REQUEST", "nobody")),
            .json(
                "rereference: a field that is not there", "assets/rereference",
                ["assets": [["recordName": "filed", "fieldName": "other"]]], .refused(400, "BAD_REQUEST", "other")),
        ]

        @Test(arguments: requests) func aRequestForFilesThatCannotBeIsRefused(_ row: Row) throws { try row.prove() }

        // MARK: Tickets

        private static func file(
            _ description: String, _ method: String, name: String, body: [UInt8]? = nil, headers: [HTTPHeader] = [],
            _ answer: Row.Answer = .refused(401, "AUTHENTICATION_FAILED", ""),
            _ ticket: @escaping @Sendable (Target) -> String
        ) -> Row {
            Row(description, answer) { target in
                let path = "/asset/1/\(target.container)/development/\(name)?t=\(ticket(target))"
                return try HTTPConnection(port: target.server.port)
                    .exchange(HTTPRequest(method, path, headers: headers, body: body))
            }
        }

        static let tickets: [(String, @Sendable (Target) -> String)] = [
            ("no ticket", { _ in "" }), ("a word", { _ in "hello" }),
            ("zeros", { _ in String(repeating: "A", count: 120) }),
            ("6 KB", { _ in String(repeating: "A", count: 6_000) }),
            ("that of another container", { $0.filesElsewhere.upload }),
            ("a download's of another container", { $0.filesElsewhere.download }),
            ("a web auth token", { percentEncoded($0.ada) }), ("one twice", { $0.files.upload + $0.files.download }),
            ("a broken escape", { $0.files.upload + "%zz" }),
        ]

        static let foreign: [Row] =
            tickets.flatMap { name, ticket in
                [
                    file("an upload with \(name)", "POST", name: "upload", body: [1]) { ticket($0) },
                    file("a download with \(name)", "GET", name: "x.png") { ticket($0) },
                ]
            } + [
                file("an upload with a download's", "PUT", name: "upload", body: [1]) { $0.files.download },
                file("a download with an upload's", "GET", name: "x.png") { $0.files.upload },
            ]

        static let odd: [Row] = [
            file("a POST to a file", "POST", name: "x.png", body: [1], .refused(405, "BAD_REQUEST", "GET")) {
                $0.files.download
            },
            file("a DELETE of a file", "DELETE", name: "x.png", .refused(405, "BAD_REQUEST", "GET")) {
                $0.files.download
            },
            file(
                "a form without a boundary", "POST", name: "upload", body: [1],
                headers: [HTTPHeader("Content-Type", "multipart/form-data")], .refused(400, "BAD_REQUEST", "boundary")
            ) { $0.files.upload },
            file(
                "a form that is none", "POST", name: "upload", body: Array("hello".utf8),
                headers: [HTTPHeader("Content-Type", "multipart/form-data; boundary=x")],
                .refused(400, "BAD_REQUEST", "form")
            ) { $0.files.upload },
            file(
                "a form that is cut off", "POST", name: "upload", body: Array("--x\r\nA: b\r\n\r\nhello\r\n--".utf8),
                headers: [HTTPHeader("Content-Type", "multipart/form-data; boundary=x")],
                .refused(400, "BAD_REQUEST", "ends before")
            ) { $0.files.upload },
            .target("no name", "/asset/1/CONTAINER/development/", .refused(404, "NOT_FOUND", ""), method: "GET"),
            .target("no environment", "/asset/1/CONTAINER", .refused(404, "NOT_FOUND", ""), method: "GET"),
            .target("out of the folder", "/asset/1/../../etc/passwd", .refused(404, "NOT_FOUND", ""), method: "GET"),
            .target(
                "another container's folder", "/asset/1/..%2f..%2fetc/development/passwd",
                .refused(401, "AUTHENTICATION_FAILED", ""), method: "GET"),
        ]

        @Test(arguments: foreign) func aFileNeedsATicketThatWasMadeForIt(_ row: Row) throws { try row.prove() }
        @Test(arguments: odd) func aFileHasItsPlaceAndItsMethods(_ row: Row) throws { try row.prove() }

        /// Each byte of a ticket matters, and so does its length.
        @Test func aTicketChangedAnywhereIsRefused() throws {
            let target = try Targets.current.target()
            for (method, name, ticket) in [
                ("GET", "x.png", target.files.download), ("POST", "upload", target.files.upload),
            ] {
                for place in stride(from: 0, to: ticket.count, by: 9) {
                    var changed = Array(ticket)
                    changed[place] = changed[place] == "A" ? "B" : "A"
                    let (altered, cut) = (String(changed), String(ticket.prefix(place)))
                    let body: [UInt8]? = method == "GET" ? nil : [1]
                    try Self.file("changed at \(place)", method, name: name, body: body) { _ in altered }.prove()
                    try Self.file("cut at \(place)", method, name: name, body: body) { _ in cut }.prove()
                }
            }
        }
    }
}
