import NephosTesting
import Testing

extension ServerTests {
    /// docs/protocol.md, K1 to K5.
    @Suite struct ServerToServerTests {
        let container: TestContainer
        let signer: RequestSigner

        init() throws {
            container = try Notes.shared("ServerToServerTests").container
            signer = try container.key()
        }

        // K1, K2
        @Test func everySpellingOfTheSignedTextIsAccepted() throws {
            for path in RequestSigner.Path.allCases {
                for emptyBody in RequestSigner.EmptyBody.allCases {
                    for form in RequestSigner.Form.allCases {
                        var signer = signer
                        (signer.path, signer.emptyBody, signer.form) = (path, emptyBody, form)
                        let client = container.client(.key(signer))
                        client.query = ["ckjsVersion=2.4.0", "clientId=a%20b"]
                        try expectSuccess(try client.get("zones/list", .public))
                        try expectSuccess(try client.post("records/lookup", .public, ["records": []]))
                    }
                }
            }
        }

        // K3
        @Test(arguments: [-9, 0, 9])
        func aDateWithinTenMinutesIsAccepted(minutes: Int) throws {
            try expectSuccess(try client { $0.skewSeconds = minutes * 60 }.get("zones/list", .public))
        }

        // K3
        @Test(arguments: [-86_400, -11, 11, 86_400])
        func aSkewedDateIsRefused(minutes: Int) throws {
            let response = try client { $0.skewSeconds = minutes * 60 }.get("zones/list", .public)
            try expectRefused(response, "AUTHENTICATION_FAILED")
        }

        // K3
        @Test func aDateWithAFractionIsAccepted() throws {
            let date = RequestSigner.date().replacing("Z", with: ".250Z")
            try expectSuccess(try client { $0.date = date }.get("zones/list", .public))
        }

        // K3
        @Test(arguments: [(3_600, "+01:00"), (-12_600, "-03:30"), (19_800, "+0530"), (0, "z")])
        func aDateWithAnOffsetIsAccepted(seconds: Int, offset: String) throws {
            let date = RequestSigner.date(secondsFromNow: seconds).replacing("Z", with: offset)
            try expectSuccess(try client { $0.date = date }.get("zones/list", .public))
            let late = RequestSigner.date(secondsFromNow: seconds + 700).replacing("Z", with: offset)
            try expectRefused(try client { $0.date = late }.get("zones/list", .public), "AUTHENTICATION_FAILED")
        }

        // K3
        @Test(arguments: ["", "yesterday", "2026-13-45T99:99:99Z", "2026-02-30T00:00:00Z", "1763714226"])
        func aDateThatIsNoneIsRefused(date: String) throws {
            try expectRefused(try client { $0.date = date }.get("zones/list", .public), "AUTHENTICATION_FAILED")
        }

        // K3
        @Test func aForgedSignatureIsRefused() throws {
            try expectRefused(
                try container.client(.key(RequestSigner(keyID: signer.keyID))).get("zones/list", .public),
                "AUTHENTICATION_FAILED")
            let unknown = String(repeating: "0", count: 64)
            try expectRefused(try client { $0.keyID = unknown }.get("zones/list", .public), "AUTHENTICATION_FAILED")
            let other = try freshContainer().key()
            try expectRefused(
                try container.client(.key(other)).get("zones/list", .public), "AUTHENTICATION_FAILED")
        }

        // K2
        @Test func theSignatureHoldsForThisBodyAndPathOnly() throws {
            let target = container.client(.none).path("records/lookup", .public)
            let body = Array(#"{"records":[]}"#.utf8)
            let headers = try signer.headers(target: target, body: body)
            let connection = try container.client(.none).open()
            try expectSuccess(try connection.exchange(HTTPRequest("POST", target, headers: headers, body: body)))
            let altered = HTTPRequest("POST", target, headers: headers, body: body + [0x20])
            try expectRefused(try connection.exchange(altered), "AUTHENTICATION_FAILED")
            let moved = HTTPRequest(
                "POST", target.replacing("lookup", with: "modify"), headers: headers, body: body)
            try expectRefused(try connection.exchange(moved), "AUTHENTICATION_FAILED")
        }

        // K4
        @Test func aKeyReachesThePublicDatabaseOnly() throws {
            let client = container.client(.key(signer))
            for database in [Database.private, .shared] {
                try expectRefused(try client.post("zones/list", database), "AUTHENTICATION_FAILED")
                try expectRefused(
                    try client.post("records/modify", database, ["operations": []]), "AUTHENTICATION_FAILED")
            }
            try expectRefused(try client.get("users/current", .public), "AUTHENTICATION_FAILED")
        }

        // K4
        @Test func aKeyIsAUserWhoCreatesWhatItWrites() throws {
            let client = container.client(.key(signer))
            let identity = try expectSuccess(try client.get("users/caller", .public))
            let name = try #require(identity["userRecordName"].string)
            let record = try client.modify(operation("create", "A", fields: [:]), zone: nil, in: .public)
            expectRecord(record, name: "A", fields: [:])
            #expect(record["created"]["userRecordName"] == .string(name))
            #expect(record["modified"]["userRecordName"] == .string(name))
            expectRecord(try client.modify(operation("forceUpdate", "A"), zone: nil, in: .public))
        }

        // K5
        @Test func aPublicKeyMadeElsewhereWorks() throws {
            let folder = try TemporaryFolder()
            var own = RequestSigner()
            try writeFile(folder.path + "/public.pem", own.publicKeyPEM.utf8)
            own.keyID = try container.cloud.server.command(
                "key", "create", container.id, "--public-key", folder.path + "/public.pem")
            #expect(own.keyID == own.fingerprint)
            try expectSuccess(try container.client(.key(own)).get("zones/list", .public))
        }

        private func client(_ change: (inout RequestSigner) -> Void) -> CloudKitClient {
            var signer = signer
            change(&signer)
            return container.client(.key(signer))
        }
    }
}
