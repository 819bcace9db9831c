import Foundation
import NephosTesting
import Testing

@testable import NephosKit

/// `nephos-credentials.json`: secrets readable by their owner only, and written atomically.
@Suite struct CredentialsFileTests {
    private let places: Places
    private var file: CredentialsFile { places.credentials }
    private var path: String { file.url.path }

    init() throws { places = try Places() }

    private func place(_ container: String = "iCloud.a") throws -> CredentialsFile.Place {
        CredentialsFile.Place(
            server: try #require(URL(string: "https://cloud.test")), container: container, environment: .development)
    }

    private let server = NephosConfiguration(serverURL: URL(string: "https://cloud.test"))

    // MARK: Reading

    @Test(arguments: [0o644, 0o640, 0o604, 0o660, 0o610, 0o601, 0o777])
    func aFileThatOthersMayReadIsRefused(permissions: Int) throws {
        try places.credentials("https://cloud.test") { $0.webAuthToken = "hush" }
        try setMode(path, permissions)
        // A service's user may read a file of root through its group.
        let isForGroup = geteuid() == 0 && permissions & 0o040 != 0
        guard !isForGroup || permissions != 0o640 else {
            #expect(try places.found(server).webAuthToken == "hush")
            return
        }
        let fault = try #require(places.fault(server))
        #expect(fault.contains("chmod \(isForGroup ? "640" : "600") '\(path)'") && !fault.contains("hush"))
        // It is not written either, which would hide that others have read it.
        let before = try readFile(path)
        #expect(throws: ConfigurationFault.self) { try file.update(place()) { $0.webAuthToken = "other" } }
        #expect(try readFile(path) == before)
    }

    @Test(arguments: [0o600, 0o400, 0o700]) func aFileOfItsOwnerIsRead(permissions: Int) throws {
        try places.credentials("https://cloud.test") { $0.webAuthToken = "secret" }
        try setMode(path, permissions)
        #expect(try places.found(server).webAuthToken == "secret")
    }

    @Test("A file of another user is refused, and one of root keeps its group when it is replaced")
    func owners() throws {
        // Nobody else can give files away.
        guard geteuid() == 0 else { return }
        try places.credentials("https://cloud.test") { $0.webAuthToken = "hush" }
        try setMode(path, 0o640)
        #expect(chown(path, 0, 54_321) == 0)
        try places.credentials("https://cloud.test") { $0.webAuthToken = "new" }
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        #expect((attributes[.groupOwnerAccountID] as? NSNumber)?.intValue == 54_321)
        #expect(try mode(path) == 0o640 && places.found(server).webAuthToken == "new")
        #expect(chown(path, 54_321, 0) == 0)
        try setMode(path, 0o600)
        let fault = try #require(places.fault(server))
        #expect(fault.contains("\(path) belongs to another user") && !fault.contains("new"))
        #expect(throws: ConfigurationFault.self) { try file.update(place()) { $0.webAuthToken = "other" } }
        try FileManager.default.removeItem(atPath: path)
        try places.write(beside: "{}", user: nil)
        #expect(places.fault(server) == nil)
        let settings = places.beside.appendingPathComponent("nephos.json").path
        #expect(chown(settings, 54_321, 0) == 0)
        #expect(places.fault(server)?.contains("\(settings) belongs to another user") == true)
    }

    @Test(arguments: ["", "{", "[]", #"{"a":5}"#, #"{"a":{"webAuthToken":5}}"#])
    func aFileThatIsSomethingElseIsNamed(text: String) throws {
        try writeFile(path, text.utf8)
        try setMode(path, 0o600)
        #expect(places.fault(server)?.contains(path) == true)
    }

    @Test(arguments: ["keyID", "privateKey"]) func halfOfAKeyIsNone(member: String) throws {
        try writeFile(path, #"{"https://cloud.test iCloud.a development":{"\#(member)":"x"}}"#.utf8)
        try setMode(path, 0o600)
        let fault = try #require(places.fault(server))
        #expect(fault.contains(path) && fault.contains("keyID") && fault.contains("privateKey"))
    }

    @Test func aKeyIsFound() throws {
        try places.credentials("https://cloud.test") { ($0.keyID, $0.privateKey) = ("id", "PEM") }
        let key = try places.found(server).serverKey
        #expect(key?.keyID == "id" && key?.pem == "PEM")
    }

    // MARK: Places

    @Test(arguments: [
        ["https://cloud.test", "https://cloud.test/", "HTTPS://Cloud.Test", "https://cloud.test:443/"],
        ["http://cloud.test:80", "http://cloud.test"], ["http://[::1]:8080/", "http://[::1]:8080"],
        ["https://cloud.test/base/path", "https://CLOUD.test:443/base/path//"],
    ])
    func anAddressIsOnePlaceHoweverItIsWritten(addresses: [String]) throws {
        for written in addresses {
            for asked in addresses {
                try? FileManager.default.removeItem(atPath: path)
                try writeFile(path, #"{"\#(written) iCloud.a development":{"webAuthToken":"\#(written)"}}"#.utf8)
                try setMode(path, 0o600)
                let url = try #require(URL(string: asked))
                let found = try file.read()[
                    CredentialsFile.Place(server: url, container: "iCloud.a", environment: .development)]
                #expect(found?.webAuthToken == written)
                // Writing replaces it.
                try places.credentials(asked) { $0.webAuthToken = nil }
                #expect(!String(decoding: try readFile(path), as: UTF8.self).contains("webAuthToken"))
            }
        }
    }

    @Test func otherAddressesAreOtherPlaces() throws {
        let addresses = [
            "https://cloud.test", "http://cloud.test", "https://cloud.test:80", "https://cloud.test/a",
            "https://cloud.test/A", "https://other.test", "http://cloud.test:443",
        ]
        for address in addresses { try places.credentials(address) { $0.webAuthToken = address } }
        for address in addresses {
            let server = NephosConfiguration(serverURL: URL(string: address))
            #expect(try places.found(server).webAuthToken == address)
        }
    }

    @Test func ofTwoSpellingsOursGoesFirst() throws {
        let entries = #"""
            {"https://CLOUD.test iCloud.a development":{"webAuthToken":"other","apiToken":"api"},
             "https://cloud.test iCloud.a development":{"webAuthToken":"ours"},
             "https://cloud.test/ iCloud.a development":{"webAuthToken":"third","passphrase":"p"},
             "what is no key":{"apiToken":"kept"}, "noKey":{}}
            """#
        try writeFile(path, entries.utf8)
        try setMode(path, 0o600)
        let found = try places.found(server)
        #expect(found.webAuthToken == "ours" && found.apiToken == "api" && found.passphrase == "p")
        try places.credentials("https://cloud.test") { $0.webAuthToken = nil }
        #expect(try places.found(server).webAuthToken == nil && places.found(server).passphrase == "p")
        #expect(String(decoding: try readFile(path), as: UTF8.self).contains("kept"))
    }

    // MARK: Writing

    @Test func othersEntriesStay() throws {
        try places.credentials("https://cloud.test") { ($0.webAuthToken, $0.apiToken) = ("a", "api") }
        try places.credentials("https://cloud.test", container: "iCloud.b") { $0.webAuthToken = "b" }
        try places.credentials("https://cloud.test", .production) { $0.passphrase = "p" }
        try places.credentials("https://cloud.test") { $0.webAuthToken = "new" }
        let kept = try file.read()
        let first = kept[try place()]
        #expect(first?.webAuthToken == "new" && first?.apiToken == "api")
        #expect(kept[try place("iCloud.b")]?.webAuthToken == "b")
        #expect(
            try places.found(
                NephosConfiguration(serverURL: server.serverURL, environment: .production)
            ).passphrase == "p")
    }

    @Test func itIsItsOwnersOnly() throws {
        let folder = places.user.appendingPathComponent("new/folder")
        let file = CredentialsFile(folder: folder)
        try file.update(place()) { $0.webAuthToken = "secret" }
        #expect(try mode(file.url.path) == 0o600)
        #expect(try mode(folder.path) == 0o700)
        for _ in 0..<3 { try file.update(place()) { $0.webAuthToken?.append("!") } }
        #expect(try mode(file.url.path) == 0o600)
        #expect(try file.read()[place()]?.webAuthToken == "secret!!!")
    }

    @Test func nothingIsWrittenWhereNothingChanges() throws {
        try file.update(place()) { _ in }
        #expect(!FileManager.default.fileExists(atPath: path))
        try file.update(place()) { $0.webAuthToken = "a" }
        let number = try FileManager.default.attributesOfItem(atPath: path)[.systemFileNumber] as? NSNumber
        try file.update(place()) { $0.webAuthToken = "a" }
        #expect(try FileManager.default.attributesOfItem(atPath: path)[.systemFileNumber] as? NSNumber == number)
    }

    @Test func aLinkStaysALink() throws {
        let real = places.beside.appendingPathComponent("real.json")
        try writeFile(real.path, "{}".utf8)
        try setMode(real.path, 0o600)
        try FileManager.default.createSymbolicLink(
            at: places.user.appendingPathComponent("nephos-credentials.json"), withDestinationURL: real)
        try places.credentials("https://cloud.test") { $0.webAuthToken = "a" }
        #expect(try places.found(server).webAuthToken == "a")
        #expect(String(decoding: try readFile(real.path), as: UTF8.self).contains("webAuthToken"))
        let link = places.user.appendingPathComponent("nephos-credentials.json").path
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == real.path)
    }

    @Test func whereItCannotBeWrittenNothingIsLeft() throws {
        let blocked = places.user.appendingPathComponent("blocked")
        try writeFile(blocked.path, "a file where a folder would have to be".utf8)
        let fault = #expect(throws: ConfigurationFault.self) {
            try CredentialsFile(folder: blocked).update(place()) { $0.webAuthToken = "a" }
        }
        #expect(fault?.message.contains("cannot be written") == true)
        // A folder at its path cannot be replaced, and no secrets are left next to it.
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        #expect(throws: ConfigurationFault.self) { try file.update(place()) { $0.webAuthToken = "a" } }
        #expect(try secrets().isEmpty)
    }

    /// Files in the folder other than settings, locks and credentials.
    private func secrets() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: places.user.path).filter {
            ![".nephos-credentials.lock", "nephos-credentials.json", "blocked"].contains($0)
        }
    }

    // MARK: Concurrency

    @Test func nobodyUndoesWhatOthersWrite() throws {
        let places = places
        try inThreads(8) { thread in
            for round in 0..<20 {
                try places.credentials("https://cloud.test", container: "iCloud.\(thread)") { entry in
                    #expect(entry.webAuthToken == (round == 0 ? nil : "\(round - 1)"))
                    entry.webAuthToken = "\(round)"
                }
            }
        }
        let kept = try file.read()
        for thread in 0..<8 { #expect(kept[try place("iCloud.\(thread)")]?.webAuthToken == "19") }
        #expect(try secrets().isEmpty)
    }

    @Test func whoReadsSeesWholeFilesOnly() throws {
        let places = places
        let long = String(repeating: "x", count: 200_000)
        try places.credentials("https://cloud.test") { $0.passphrase = long }
        let isDone = LockedBox(false)
        try inThreads(3) { thread in
            guard thread == 0 else {
                // At least one read each, however fast the writer is.
                repeat {
                    let entry = try places.credentials.read()[try place()]
                    #expect(entry?.passphrase?.count == long.count)
                } while !isDone.value
                return
            }
            defer { isDone.withLock { $0 = true } }
            for round in 0..<60 { try places.credentials("https://cloud.test") { $0.webAuthToken = "\(round)" } }
        }
    }

    // MARK: Remembering

    @Test func aSessionIsRememberedAndForgotten() async throws {
        let transport = ScriptedTransport { _ in .json(#"{"userRecordName":"_me"}"#) }
        var configuration = NephosConfiguration.test
        configuration.webAuthToken = nil
        let container = CKContainer.test(transport, configuration, credentials: file)
        let kept = { try self.file.read().token }
        try container.signIn(webAuthToken: "passing")
        #expect(try kept() == nil)
        try container.signIn(webAuthToken: "kept", remembering: true)
        #expect(try kept() == "kept")
        #expect(try mode(path) == 0o600)
        try container.signOut()
        #expect(try kept() == nil)
    }

    @Test func aSessionThatCannotBeRememberedChangesNothing() async throws {
        let container = CKContainer.test(ScriptedTransport { _ in .json("{}") }, credentials: file)
        try places.credentials("https://cloud.test") { $0.webAuthToken = "x" }
        try setMode(path, 0o644)
        #expect(throws: CKError.self) { try container.signIn(webAuthToken: "new", remembering: true) }
        #expect(throws: CKError.self) { try container.signOut() }
        #expect(container.service.webAuthToken == "first")
    }
}

extension CredentialsFile.Contents {
    /// For the container of tests.
    fileprivate var token: String? {
        get throws {
            let server = try #require(NephosConfiguration.test.serverURL)
            return self[
                CredentialsFile.Place(server: server, container: "iCloud.org.example.Test", environment: .development)]?
                .webAuthToken
        }
    }
}
