import NephosTesting
import Testing

extension SocketTests {
    /// docs/protocol.md, P1 to P8, J1 to J10 and Limits.
    @Suite struct TransportTests {
        let notes: Notes
        let ada: CloudKitClient

        init() throws {
            notes = try Notes.shared("TransportTests")
            ada = notes.ada
        }

        // P6
        @Test(arguments: [
            "text/plain", "text/plain; charset=utf-8", "application/json", "application/json; charset=utf-8",
            "application/x-www-form-urlencoded", "multipart/form-data", "nonsense", "",
        ])
        func aBodyIsJSONWhateverItsContentTypeSays(contentType: String) throws {
            ada.headers = contentType.isEmpty ? [] : [HTTPHeader("Content-Type", contentType)]
            expectRecord(try ada.modify(operation("create", fields: ["a": ["value": 1]])))
            try expectSuccess(try ada.get("zones/list"))
        }

        // P5
        @Test(arguments: ["records/modify", "users/caller", "no/such/endpoint"])
        func aPreflightAllowsWhatClientsSend(path: String) throws {
            let client = notes.container.client(.none)
            client.headers = [
                HTTPHeader("Origin", "https://app.example.org"),
                HTTPHeader("Access-Control-Request-Method", "POST"),
                HTTPHeader("Access-Control-Request-Headers", "content-type,x-apple-cloudkit-request-keyid"),
            ]
            let response = try client.send("OPTIONS", client.path(path, .private), body: nil)
            #expect(response.status == 200)
            #expect(try response.json == [:])
            #expect(response["Access-Control-Allow-Origin"] == "*")
            let methods = response["Access-Control-Allow-Methods"] ?? ""
            for method in ["GET", "HEAD", "POST", "OPTIONS"] { #expect(methods.contains(method), "\(methods)") }
            let headers = response["Access-Control-Allow-Headers"]?.lowercased() ?? ""
            for header in ["content-type", "keyid", "iso8601date", "signaturev1", "range", "if-none-match"] {
                #expect(headers == "*" || headers.contains(header), "\(headers)")
            }
        }

        /// The headers that a page may send, in lower case, if its browser asks for some.
        private func permitted(_ asked: String...) throws -> Set<String> {
            let client = notes.container.client(.none)
            client.headers = [
                HTTPHeader("Origin", "https://app.example.org"), HTTPHeader("Access-Control-Request-Method", "POST"),
            ]
            client.headers += asked.map { HTTPHeader("Access-Control-Request-Headers", $0) }
            let response = try client.send("OPTIONS", client.path("records/query", .public), body: nil)
            #expect(response.status == 200)
            let names = response["Access-Control-Allow-Headers"] ?? ""
            return Set(names.lowercased().split(separator: ", ").map { String($0) })
        }

        // P5
        @Test(arguments: [
            // W3C, Datadog, Sentry, B3, AWS X-Ray, New Relic, Jaeger.
            "traceparent,tracestate,baggage",
            "x-datadog-trace-id,x-datadog-parent-id,x-datadog-origin,x-datadog-sampling-priority",
            "sentry-trace,baggage", "b3,x-b3-traceid,x-b3-spanid,x-b3-parentspanid,x-b3-sampled,x-b3-flags",
            "x-amzn-trace-id", "newrelic", "uber-trace-id", "content-type,x-api-key,x-requested-with",
            "X-My.App_Version", "authorization",
        ])
        func aPreflightAllowsWhatLibrariesOfAPageAdd(names: String) throws {
            let permitted = try permitted(names)
            let asked = names.lowercased().split(separator: ",").map { String($0) }
            #expect(permitted.isSuperset(of: asked), "\(permitted)")
            #expect(permitted.isSuperset(of: try self.permitted()))
        }

        // P5
        @Test func aPreflightAllowsNothingThatProxiesSay() throws {
            let usual = try permitted()
            #expect(usual.contains("x-api-key") && usual.contains("authorization"))
            for name in [
                "x-forwarded-for", "X-Forwarded-Host", "x-forwarded-proto", "forwarded", "via", "x-real-ip",
                "x-original-url", "x-rewrite-url", "x-http-method-override", "true-client-ip", "proxy-authorization",
                // A wildcard, and what is no name or too long for one.
                "*", "a b", "a:b", "é", "", String(repeating: "a", count: 65),
            ] {
                #expect(try permitted(name) == usual, "\(name)")
                #expect(try permitted("\(name),traceparent") == usual.union(["traceparent"]), "\(name)")
            }
            #expect(try permitted("a,b", "b,c") == usual.union(["a", "b", "c"]))
            let many = (0..<200).map { "x-\($0)" }
            #expect(try permitted(many.joined(separator: ",")) == usual.union(many.prefix(64)))
        }

        // P4, J1
        @Test func listsAreAnsweredToGetAndPostWithAnyEmptyBody() throws {
            let answers = [
                try ada.get("zones/list"), try ada.post("zones/list", .private, [:]),
                try ada.send("POST", ada.path("zones/list", .private), body: []),
                try ada.send("GET", ada.path("zones/list", .private), body: []),
            ]
            for answer in answers { #expect(try expectSuccess(answer)["zones"].elements.count == 2) }
            try expectSuccess(try ada.post("users/caller", .public, [:]))
            try expectSuccess(try ada.post("users/current", .public, [:]))
        }

        // P2
        @Test func repeatedSlashesAreOneAndZonesWithoutADatabaseArePrivate() throws {
            let base = "/database/1/\(notes.container.id)/development"
            for path in ["\(base)//zones/list", "\(base)/zones/list", "/\(base)///private//zones///list"] {
                let zones = try expectSuccess(try ada.send("GET", path, body: nil))["zones"]
                #expect(zones.elements.count == 2, "\(path)")
            }
            try expectSuccess(try ada.send("GET", "\(base)//public/users/caller", body: nil))
        }

        // P4, E1
        @Test(arguments: [
            "/", "/database", "/database/2/iCloud.a/development/public/zones/list", "/database/1/", "/../etc/passwd",
            "/database/1/iCloud.test.container1/development/public/zones/list/more",
            "/database/1/iCloud.test.container1/development/public/records/destroy", "/%00", "/favicon.ico",
            "/database/1/iCloud.test.container1/development/elsewhere/zones/list",
        ])
        func anUnknownPathIsAnErrorLikeAllOthers(path: String) throws {
            let response = try ada.send("POST", path, body: Array("{}".utf8))
            let body = try response.json
            #expect((400..<500).contains(response.status), "\(body)")
            let code = try #require(body["serverErrorCode"].string)
            #expect(documentedCodes.keys.contains(code))
            #expect(body["uuid"].string != nil && body["reason"].string != nil)
        }

        // P4
        @Test(arguments: ["PUT", "DELETE", "PATCH", "TRACE"])
        func anotherMethodIsRefused(method: String) throws {
            let response = try ada.send(method, ada.path("records/modify", .private), body: Array("{}".utf8))
            try expectRefused(response, "BAD_REQUEST", status: 405)
            #expect(response["Allow"]?.contains("POST") == true)
        }

        // P4
        @Test func aGetOfWhatNeedsABodyIsRefused() throws {
            try expectRefused(try ada.get("records/modify"), "BAD_REQUEST", status: 405)
        }

        // A1, P1
        @Test func anUnknownContainerOrEnvironmentIsRefused() throws {
            let client = notes.container.app
            client.container = "iCloud.test.nobody"
            try expectRefused(try client.get("zones/list", .public), "AUTHENTICATION_FAILED")
            client.container = notes.container.id.uppercased()
            try expectRefused(try client.get("zones/list", .public), "AUTHENTICATION_FAILED")
            client.container = notes.container.id
            client.environment = "staging"
            try expectRefused(try client.get("zones/list", .public), "BAD_REQUEST")
        }

        // P6, J6, J7
        @Test func unknownKeysAndParametersAndNullsAreIgnored() throws {
            ada.query = ["remapEnums=true", "getCurrentSyncToken=", "clientId=x", "a", "&&", "b=%zz", "ckjsVersion=2"]
            let body: JSON = [
                "operations": [
                    [
                        "operationType": "create", "unheard": [1, ["of": nil]], "desiredKeys": nil,
                        "record": [
                            "recordName": "A", "recordType": "Note", "fields": ["t": ["value": "x"]],
                            "recordChangeTag": nil, "parent": nil, "created": nil, "unheard": "of", "zoneID": nil,
                        ],
                    ]
                ],
                "zoneID": ["zoneName": "Notes", "ownerName": "whoever", "ownerRecordName": nil, "zoneType": nil],
                "atomic": nil, "desiredKeys": nil, "numbersAsStrings": nil, "unheard": ["of": [[]]],
            ]
            let records = try ada.answer("records/modify", body)["records"]
            expectRecord(records[0], name: "A", fields: ["t": ["value": "x", "type": "STRING"]])
            try ada.modify(operation("create", "B"))
            let read = try ada.lookUp(["A", "B"], with: ["desiredKeys": nil, "numbersAsStrings": nil, "x": 1])
            expectRecord(read[0], name: "A", fields: ["t": ["value": "x", "type": "STRING"]])
        }

        // J1, J3, J5, J8
        @Test(arguments: [
            "", "{", "[]", "null", "1", "\"{}\"", "{}", #"{"operations":{}}"#, #"{"operations":[1]}"#,
            #"{"operations":[{"operationType":"create"}]}"#, #"{"operations":[{"record":{"recordName":"A"}}]}"#,
            #"{"operations":[{"operationType":"destroy","record":{"recordName":"A","recordType":"Note"}}]}"#,
            #"{"operations":[]} x"#, #"{"operations":[],}"#, "{\"operations\":[],\"a\":\"\u{1}\"}",
            #"{"operations":[],"a":01}"#, #"{"operations":[],"a":"\uD800"}"#, #"{"operations":[],"zoneID":"Notes"}"#,
            #"{"operations":[],"zoneID":{}}"#, #"{"operations":[],"atomic":"yes"}"#,
            #"{"operations":[],"operations":[]}"#, #"{"operations":[],"\u006fperations":[]}"#,
            #"{"x":1,"operations":[],"x":2}"#,
            "\u{FEFF}{\"operations\":[]}",
        ])
        func aMalformedRequestIsRefusedWhole(body: String) throws {
            let response = try ada.send("POST", ada.path("records/modify", .private), body: Array(body.utf8))
            try expectRefused(response, "BAD_REQUEST")
        }

        // J2
        @Test func nestingBeyond32IsRefused() throws {
            func nested(_ depth: Int) -> [UInt8] {
                let lists = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
                return Array(#"{"records":[],"zoneID":{"zoneName":"Notes"},"x":\#(lists)}"#.utf8)
            }
            let path = ada.path("records/lookup", .private)
            try expectSuccess(try ada.send("POST", path, body: nested(31)))
            for depth in [32, 33, 10_000] {
                try expectRefused(try ada.send("POST", path, body: nested(depth)), "BAD_REQUEST")
            }
        }

        // J1
        @Test func badUTF8IsRefused() throws {
            let path = ada.path("records/lookup", .private)
            for bytes in [[0xFF], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xE2, 0x82]] as [[UInt8]]
            {
                let body = Array(#"{"records":[{"recordName":""#.utf8) + bytes + Array(#""}]}"#.utf8)
                try expectRefused(try ada.send("POST", path, body: body), "BAD_REQUEST")
            }
        }

        // P8
        @Test func answersAreCompressedForThoseWhoAsk() throws {
            try ada.create("big", fields: ["t": ["value": .string(String(repeating: "much the same ", count: 500))]])
            ada.headers.append(HTTPHeader("Accept-Encoding", "gzip"))
            let path = ada.path("records/lookup", .private)
            let body: JSON = ["records": [["recordName": "big"]], "zoneID": ["zoneName": "Notes"]]
            let response = try ada.send("POST", path, body: body.bytes)
            #expect(response["Content-Encoding"] == "gzip")
            #expect(response.body.prefix(2) == [0x1F, 0x8B])
            #expect(response.body.count < 3_000)
            let plain = try JSON(reading: try decompressed(response.body))
            expectRecord(plain["records"][0], name: "big")
        }

        @Test func aBodyInChunksIsABody() throws {
            let connection = try ada.open()
            let target = ada.path("zones/lookup", .private) + "?" + ada.credentials.query.joined(separator: "&")
            try connection.socket.send(
                Array("POST \(target) HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n".utf8))
            for part in [#"{"zones":[{"zone"#, #"Name":"Notes"}]}"#] {
                try connection.socket.send(Array("\(String(part.utf8.count, radix: 16))\r\n\(part)\r\n".utf8))
            }
            try connection.socket.send(Array("0\r\n\r\n".utf8))
            let zones = try expectSuccess(try connection.response())["zones"]
            #expect(zones[0]["zoneID"]["zoneName"] == "Notes")
        }

        @Test func requestsInAPipelineAreAnsweredInOrder() throws {
            let connection = try ada.open()
            let query = "?" + ada.credentials.query.joined(separator: "&")
            let paths = ["zones/list", "nowhere", "zones/list"].map { ada.path($0, .private) + query }
            for path in paths { try connection.send(HTTPRequest("POST", path, body: Array("{}".utf8))) }
            let statuses = try paths.map { _ in try connection.response().status }
            #expect(statuses[0] == 200 && statuses[1] >= 400 && statuses[2] == 200)
        }

        @Test func theServerTellsOfItsHealth() throws {
            let health = try ada.open().exchange(HTTPRequest("GET", "/healthz"))
            #expect(health.status == 200)
            let metrics = try ada.open().exchange(HTTPRequest("GET", "/metrics"))
            #expect(metrics.status == 200)
            #expect(metrics["Content-Type"]?.hasPrefix("text/plain") == true)
            #expect(String(decoding: metrics.body, as: UTF8.self).contains("# TYPE "))
        }

        // Limits
        @Test func aTargetOrAHeadThatIsTooLongIsRefused() throws {
            let long = try ada.send("GET", "/" + String(repeating: "a", count: 9_000), body: nil)
            try expectRefused(long, "BAD_REQUEST", status: 414)
            let client = notes.container.app
            client.headers = [HTTPHeader("X-Long", String(repeating: "a", count: 20_000))]
            try expectRefused(try client.get("zones/list", .public), "BAD_REQUEST", status: 431)
        }

        private func decompressed(_ bytes: [UInt8]) throws -> [UInt8] {
            let folder = try TemporaryFolder()
            try writeFile(folder.path + "/body.gz", bytes)
            let gzip = try ChildProcess(
                "/usr/bin/env", ["gzip", "-dc", folder.path + "/body.gz"], output: folder.path + "/body",
                errors: folder.path + "/errors")
            try #require(gzip.wait() == .exited(0))
            return try readFile(folder.path + "/body")
        }
    }
}
