import NephosTesting
import Testing

extension ServerTests {
    /// docs/protocol.md, "Assets", U1 to U11 and F11.
    @Suite struct AssetTests {
        let notes: Notes
        var ada: CloudKitClient { notes.ada }

        init() throws { notes = try Notes() }

        @Test("U1, U3 to U5, U9: a file is uploaded, saved with a record, and downloaded unchanged")
        func theWholeWay() throws {
            let picture = content(100_000)
            let file = try ada.upload(picture, contentType: "image/png")
            for key in ["fileChecksum", "receipt", "wrappingKey", "referenceChecksum"] {
                #expect(file[key].string?.isEmpty == false, "\(file)")
            }
            let saved = try ada.modify(operation("create", "A", fields: ["picture": ["value": file]]))
            expectRecord(saved, name: "A")
            let found = try ada.lookUp("A")["fields"]["picture"]
            #expect(found["type"] == "ASSETID")
            #expect(found["value"]["fileChecksum"] == file["fileChecksum"] && found["value"]["size"] == file["size"])
            #expect(found["value"]["receipt"].isAbsent, "a receipt was stored")
            let answer = try ada.download(found, as: "my%20cat.png")
            #expect(answer.status == 200 && answer.body == picture)
            #expect(answer["Content-Type"] == "image/png")
            #expect(answer["X-Content-Type-Options"] == "nosniff")
            #expect(answer["Access-Control-Allow-Origin"] == "*")
        }

        @Test(
            "U9: the file name in the URL can be anything",
            arguments: ["${f}", "%24%7Bf%7D", "a/b.txt", "x"])
        func namesOfFiles(name: String) throws {
            let file = try ada.upload(Array("hello".utf8))
            try ada.modify(operation("create", "A", fields: ["picture": ["value": file]]))
            let answer = try ada.download(try ada.lookUp("A")["fields"]["picture"], as: name)
            #expect(answer.status == 200 && answer.body == Array("hello".utf8))
        }

        @Test("U3: an empty file, and the first part of a form") func unusualUploads() throws {
            #expect(try ada.upload([])["size"] == 0)
            let form =
                "--x\r\nContent-Disposition: form-data; name=\"files\"; filename=\"file.file\"\r\n"
                + "Content-Type: text/csv\r\n\r\na,b\r\n--x--\r\n"
            let answer = try ada.load(
                "POST", try ada.uploadURL(), [HTTPHeader("Content-Type", "multipart/form-data; boundary=x")],
                Array(form.utf8))
            let file = try expectSuccess(answer)["singleFile"]
            #expect(file["size"] == 3, "\(file)")
            try ada.modify(operation("create", "A", fields: ["picture": ["value": file]]))
            let loaded = try ada.download(try ada.lookUp("A")["fields"]["picture"])
            #expect(loaded.body == Array("a,b".utf8) && loaded["Content-Type"] == "text/csv")
        }

        @Test("F11: a list of files, one of them twice") func lists() throws {
            let files = try (0..<2).map { try ada.upload(content(10, seed: $0)) }
            let value: JSON = .array([files[0], files[1], files[0]])
            try ada.modify(operation("create", "A", fields: ["pictures": ["value": value]]))
            let found = try ada.lookUp("A")["fields"]["pictures"]
            #expect(found["type"] == "ASSETID_LIST" && found["value"].elements.count == 3, "\(found)")
            for (index, seed) in [UInt64(0), 1, 0].enumerated() {
                let answer = try ada.download(["value": found["value"][index]])
                #expect(answer.body == content(10, seed: seed))
            }
        }

        @Test("F11: a record is saved again with the asset as it was read, without a receipt") func withoutReceipt()
            throws
        {
            try ada.modify(operation("create", "A", fields: ["picture": ["value": try ada.upload(content(5))]]))
            let read = try ada.lookUp("A")["fields"]["picture"]
            let again = try ada.modify(
                operation("forceReplace", "A", fields: ["picture": read, "text": ["value": "new"]]))
            expectRecord(again, name: "A")
            #expect(try ada.download(again["fields"]["picture"]).body == content(5))
            expectItem(
                try ada.modify(operation("create", "B", fields: ["picture": read])), refusedWith: "BAD_REQUEST")
        }

        @Test("U5: a receipt is valid for several records, and for nobody else") func receipts() throws {
            let file = try ada.upload(content(5), in: .public)
            for name in ["A", "B"] {
                expectRecord(
                    try ada.modify(
                        operation("create", name, fields: ["picture": ["value": file]]), zone: nil, in: .public))
            }
            let grace = try notes.grace()
            let stolen = operation("create", "C", fields: ["picture": ["value": file]])
            expectItem(try grace.modify(stolen, zone: nil, in: .public), refusedWith: "BAD_REQUEST")
            expectItem(try ada.modify(stolen, in: .private), refusedWith: "BAD_REQUEST")
            let another = try ada.upload(content(6), in: .public)
            for (member, value) in [
                ("size", 6), ("size", 0), ("fileChecksum", another["fileChecksum"]), ("receipt", another["receipt"]),
                ("receipt", "AAAA"), ("receipt", ""),
            ] as [(String, JSON)] {
                var other = file
                other[member] = value
                let wrong = operation("create", "C", fields: ["picture": ["value": other]])
                let refused = try ada.modify(wrong, zone: nil, in: .public)
                expectItem(refused, refusedWith: "BAD_REQUEST")
                #expect(refused["reason"].string?.contains("did_not_validate") == true, "\(member): \(refused)")
            }
        }

        @Test("U7: a file of one record is added to another without sending it again") func rereference() throws {
            try ada.modify(operation("create", "A", fields: ["picture": ["value": try ada.upload(content(7))]]))
            let body: JSON = [
                "zoneID": ["zoneName": "Notes"], "assets": [["recordName": "A", "fieldName": "picture"]],
            ]
            let file = try ada.answer("assets/rereference", body)["assets"][0]
            expectRecord(try ada.modify(operation("create", "B", fields: ["cover": ["value": file]])))
            try ada.modify(operation("forceDelete", "A", type: nil))
            #expect(try ada.download(try ada.lookUp("B")["fields"]["cover"]).body == content(7))
            for (record, field) in [("X", "picture"), ("B", "picture"), ("B", "recordName")] {
                let body: JSON = [
                    "zoneID": ["zoneName": "Notes"],
                    "assets": [["recordName": .string(record), "fieldName": .string(field)]],
                ]
                try expectRefused(try ada.post("assets/rereference", .private, body), "BAD_REQUEST")
            }
        }

        @Test("Bytes of files are counted by type and by person, for each place that holds them") func statistics()
            throws
        {
            let file = try ada.upload(content(500))
            try ada.modify(operation("create", "A", fields: ["picture": ["value": file], "cover": ["value": file]]))
            let open = try ada.upload(content(30), in: .public)
            try ada.modify(operation("create", "P", fields: ["picture": ["value": open]]), zone: nil, in: .public)
            let nephos = notes.container.cloud.server.command
            let types = try nephos("stats", notes.container.id).split(separator: "\n")
            let note = try #require(types.first { $0.hasPrefix("Note ") }).split(separator: " ")
            #expect(note[1] == "1" && note[3] == "30" && note[4] == "1" && note[6] == "1000", "\(note)")
            let people = try nephos("stats", notes.container.id, "--people").split(separator: "\n")
            let person = try #require(people.dropFirst().first).split(separator: " ")
            // Her user record is public, too.
            #expect(person[2] == "2" && person[4] == "30" && person[5] == "1" && person[7] == "1000", "\(person)")
        }

        @Test("U10: ranges, conditions and HEAD") func conditions() throws {
            let file = try ada.upload(content(1_000))
            try ada.modify(operation("create", "A", fields: ["picture": ["value": file]]))
            let field = try ada.lookUp("A")["fields"]["picture"]
            let whole = try ada.download(field)
            let tag = try #require(whole["ETag"])
            let part = try ada.download(field, [HTTPHeader("Range", "bytes=10-19")])
            #expect(part.status == 206 && part.body == Array(content(1_000)[10...19]))
            #expect(part["Content-Range"] == "bytes 10-19/1000")
            #expect(try ada.download(field, [HTTPHeader("If-None-Match", tag)]).status == 304)
            #expect(try ada.download(field, [HTTPHeader("If-Match", "\"other\"")]).status == 412)
            #expect(try ada.download(field, [HTTPHeader("Range", "bytes=1000-")]).status == 416)
        }

        @Test("U9: a downloadURL expires with the record, with the file, and with the right to read")
        func visibility() throws {
            let file = try ada.upload(content(9))
            try ada.modify(operation("create", "A", fields: ["picture": ["value": file]]))
            let field = try ada.lookUp("A")["fields"]["picture"]
            #expect(try ada.download(field).status == 200)
            try ada.modify(operation("forceUpdate", "A", fields: ["picture": ["value": try ada.upload(content(8))]]))
            try expectRefused(try ada.download(field), "NOT_FOUND")
            let next = try ada.lookUp("A")["fields"]["picture"]
            #expect(try ada.download(next).status == 200)
            try ada.deleteZones("Notes")
            try expectRefused(try ada.download(next), "NOT_FOUND")
        }

        @Test("U3, U9: a forged or truncated URL, or one of another kind or container, is rejected") func forgedURLs()
            throws
        {
            let upload = try ada.uploadURL()
            try ada.modify(operation("create", "A", fields: ["picture": ["value": try ada.upload(content(9))]]))
            let field = try ada.lookUp("A")["fields"]["picture"]["value"]
            let download = try #require(field["downloadURL"].string)
            let token = try #require(download.split(separator: "=").last)
            let other = try freshContainer()
            for url in [
                download + "A", String(download.dropLast(8)),
                download.replacing(token, with: upload.split(separator: "=").last ?? ""),
                download.replacing(notes.container.id, with: other.id),
                String(download.prefix { $0 != "?" }), download.replacing("development", with: "production"),
            ] { try expectRefused(try ada.load("GET", url), "AUTHENTICATION_FAILED") }
            for url in [
                upload + "A", upload.replacing(notes.container.id, with: other.id), String(upload.prefix { $0 != "?" }),
            ] {
                try expectRefused(try ada.load("POST", url, [], [1, 2, 3]), "AUTHENTICATION_FAILED")
            }
            try expectRefused(try ada.load("DELETE", download), "BAD_REQUEST", status: 405)
        }

        @Test("U2: a file that no record could have is rejected before it is sent") func refusedUploads() throws {
            try ada.create("T", fields: ["text": ["value": "x"]])
            let bodies: [(JSON, String)] = [
                (["tokens": [["recordType": "Note", "fieldName": "text"]]], "BAD_REQUEST"),
                (["tokens": [["recordType": "Note"]]], "BAD_REQUEST"), ([:], "BAD_REQUEST"),
                (["tokens": [["fieldName": "p"]], "zoneID": ["zoneName": "None"]], "ZONE_NOT_FOUND"),
            ]
            for (body, code) in bodies { try expectRefused(try ada.post("assets/upload", .private, body), code) }
            try expectRefused(try ada.post("assets/upload", .shared, ["tokens": [["fieldName": "p"]]]), "BAD_REQUEST")
            let nobody = notes.container.client(.app(apiToken: notes.container.apiToken))
            try expectRefused(
                try nobody.post("assets/upload", .public, ["tokens": [["fieldName": "p"]]]), "AUTHENTICATION_REQUIRED")
        }
    }
}
