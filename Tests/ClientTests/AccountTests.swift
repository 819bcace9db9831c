import CloudKit
import Foundation
import NephosKit
import NephosTesting
import Testing

extension ClientTests {
    /// The signed-in user, and what happens when that changes.
    @Suite("13.12 Account change") struct AccountTests {
        let cloud: Cloud

        init() throws { cloud = try Cloud() }

        @Test("Signed in, signed out, and a session that the server does not know")
        func status() async throws {
            #expect(try await cloud.device().accountStatus() == .available)
            #expect(try await cloud.device(nil).accountStatus() == .noAccount)
            var settings = try cloud.configuration(nil)
            settings.webAuthToken = "AbCd"
            let stranger = CKContainer(identifier: cloud.container.id, configuration: settings)
            #expect(try await stranger.accountStatus() == .noAccount)
            settings.serverURL = URL(string: "http://127.0.0.1:9")
            let away = CKContainer(identifier: cloud.container.id, configuration: settings)
            #expect(await code { try await away.accountStatus() } == .networkFailure)
            let (status, error) = await withCheckedContinuation { continuation in
                away.accountStatus { continuation.resume(returning: ($0, $1 as? CKError)) }
            }
            #expect(status == .couldNotDetermine && error?.code == .networkFailure)
        }

        @Test("A person's id is the same on all devices, differs in another container, and reveals nothing (S1-25)")
        func userRecordID() async throws {
            let id = try await cloud.device().userRecordID()
            #expect(id.recordName.wholeMatch(of: /_[0-9a-f]{32}/) != nil && id.zoneID == .default)
            #expect(try await cloud.device().userRecordID() == id)
            #expect(try await cloud.device("eve@example.org").userRecordID() != id)
            #expect(try await Cloud().device().userRecordID() != id)
            #expect(await code { try await cloud.device(nil).userRecordID() } == .notAuthenticated)
            let container = try cloud.device()
            let fetched: CKRecord.ID? = await withCheckedContinuation { continuation in
                container.fetchUserRecordID { id, _ in continuation.resume(returning: id) }
            }
            #expect(fetched == id)
        }

        @Test("One's own user record is fetched from every database")
        func userRecord() async throws {
            let container = try cloud.device()
            let id = try await container.userRecordID()
            for database in [container.publicCloudDatabase, container.privateCloudDatabase] {
                let record = try await database.record(for: id)
                #expect(record.recordType == CKRecord.SystemType.userRecord && record.recordID == id)
            }
            let operation = CKFetchRecordsOperation.fetchCurrentUserRecordOperation()
            let calls = Calls()
            operation.perRecordResultBlock = { calls.add("\($0 == id) \($1.isSuccess)") }
            await container.privateCloudDatabase.finish(operation)
            #expect(calls.list == ["true true"])
            let user = try await container.publicCloudDatabase.record(for: id)
            user["nickname"] = "Ada"
            try await container.publicCloudDatabase.save(user)
            #expect(try await container.publicCloudDatabase.record(for: id)["nickname"] == "Ada")
        }

        @Test("Signing in and out is announced, and another person then sees their own database")
        func switching() async throws {
            let container = try cloud.device()
            let record = try await container.privateCloudDatabase.save(note("mine"))
            let changes = Calls()
            let observer = NotificationCenter.default.addObserver(forName: .CKAccountChanged, object: nil, queue: nil) {
                _ in changes.add("changed")
            }
            defer { NotificationCenter.default.removeObserver(observer) }
            try container.signOut()
            #expect(
                await code { _ = try await container.privateCloudDatabase.record(for: record.recordID) }
                    == .notAuthenticated)
            try container.signIn(webAuthToken: try cloud.container.signIn("eve@example.org"))
            #expect(
                await code { _ = try await container.privateCloudDatabase.record(for: record.recordID) } == .unknownItem
            )
            try container.signIn(webAuthToken: try cloud.container.signIn("ada@example.org"))
            #expect(try await container.privateCloudDatabase.record(for: record.recordID)["text"] == "x")
            #expect(changes.list.count >= 3)
        }

        @Test(
            "Once another person's sign-in is announced, no file of the previous person is left, and their change tokens have expired (S1-35)"
        )
        func leavesNothing() async throws {
            let container = try cloud.device()
            let database = container.privateCloudDatabase
            let url = URL(fileURLWithPath: cloud.folder.path).appendingPathComponent("diary.txt")
            try Data("dear diary".utf8).write(to: url)
            let record = note("mine")
            record["file"] = CKAsset(fileURL: url)
            try await database.save(record)
            let zone = try await database.makeZone("Notes")
            let token = try await database.recordZoneChanges(inZoneWith: zone, since: nil).changeToken
            let of = try await database.databaseChanges(since: nil).changeToken
            let fetched = try await database.record(for: record.recordID)
            let file = try #require((fetched["file"] as? CKAsset)?.fileURL)
            #expect(FileManager.default.fileExists(atPath: file.path))
            let told = Calls()
            let observer = NotificationCenter.default.addObserver(forName: .CKAccountChanged, object: nil, queue: nil) {
                _ in
                // Other observers receive notifications of concurrent tests.
                if Self.isSigningIn { told.add("\(FileManager.default.fileExists(atPath: file.path))") }
            }
            defer { NotificationCenter.default.removeObserver(observer) }
            let eve = try cloud.container.signIn("eve@example.org")
            try Self.$isSigningIn.withValue(true) { try container.signIn(webAuthToken: eve) }
            #expect(told.list == ["false"])
            try await database.makeZone("Notes")
            #expect(
                await code { _ = try await database.recordZoneChanges(inZoneWith: zone, since: token) }
                    == .changeTokenExpired)
            #expect(await code { _ = try await database.databaseChanges(since: of) } == .changeTokenExpired)
            #expect(await code { _ = try await database.record(for: record.recordID) } == .unknownItem)
        }
        @TaskLocal private static var isSigningIn = false

        @Test(
            "Signing out invalidates every copy of the session's tokens; signing out everywhere does so on every device"
        )
        func endSession() async throws {
            func device(_ token: String) throws -> CKContainer {
                var configuration = try cloud.configuration(nil)
                configuration.webAuthToken = token
                return CKContainer(identifier: cloud.container.id, configuration: configuration)
            }
            let tokens = try (0..<3).map { _ in try cloud.container.signIn("eve@example.org") }
            let (here, copy, there) = (try device(tokens[0]), try device(tokens[0]), try device(tokens[1]))
            try await here.endSession()
            for container in [here, copy] { #expect(try await container.accountStatus() == .noAccount) }
            #expect(try await there.accountStatus() == .available)
            try await there.endSession(everywhere: true)
            #expect(try await device(tokens[2]).accountStatus() == .noAccount)
            #expect(try await cloud.device().accountStatus() == .available)
        }

        @Test("A server-to-server key reads and writes only the public database, as a user of its own")
        func serverKey() async throws {
            let file = cloud.folder.path + "/key.pem"
            let id = try cloud.container.cloud.server.command(
                "key", "create", cloud.container.id, "--environment", "development", "--generate", file)
            let container = CKContainer(
                identifier: cloud.container.id,
                configuration: NephosConfiguration(
                    serverURL: try cloud.configuration(nil).serverURL,
                    serverKey: ServerKey(keyID: id, pem: try String(contentsOfFile: file, encoding: .utf8))))
            let record = try await container.publicCloudDatabase.save(note("a"))
            #expect(record.creatorUserRecordID?.recordName == CKCurrentUserDefaultName)
            #expect(try await container.publicCloudDatabase.record(for: record.recordID)["text"] == "x")
            #expect(await code { try await container.privateCloudDatabase.save(note("b")) } == .notAuthenticated)
        }

        @Test("A web auth token for another program is valid")
        func webAuthToken() async throws {
            let operation = CKFetchWebAuthTokenOperation(apiToken: cloud.container.apiToken)
            let tokens = Calls()
            operation.fetchWebAuthTokenResultBlock = { if let token = try? $0.get() { tokens.add(token) } }
            try await cloud.device().privateCloudDatabase.finish(operation)
            var settings = try cloud.configuration(nil)
            let token = try #require(tokens.list.first)
            settings.webAuthToken = token
            let other = CKContainer(identifier: cloud.container.id, configuration: settings)
            #expect(try await other.accountStatus() == .available)
        }

        @Test("An unknown container, or none at all, is an error with advice")
        func unknown() async throws {
            let container = CKContainer(identifier: "iCloud.unknown", configuration: try cloud.configuration(nil))
            #expect(await code { _ = try await container.publicCloudDatabase.allRecordZones() } == .notAuthenticated)
            let nowhere = CKContainer(identifier: "iCloud.unknown", configuration: NephosConfiguration())
            do {
                _ = try await nowhere.publicCloudDatabase.allRecordZones()
                Issue.record("no server answered")
            } catch let error as CKError {
                #expect(error.code == .missingEntitlement && error.localizedDescription.contains("NEPHOS_URL"))
            }
        }
    }
}
