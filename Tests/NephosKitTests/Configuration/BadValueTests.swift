import Foundation
import NephosTesting
import Testing

@testable import NephosKit

/// Invalid values: the message names the place and the remedy, and nothing is guessed.
@Suite struct BadValueTests {
    private let places: Places

    init() throws { places = try Places() }

    @Test(
        arguments: [
            ("serverURL", "NEPHOS_URL", "cloud.test", "https://"), ("serverURL", "NEPHOS_URL", "ftp://x", "https://"),
            ("serverURL", "NEPHOS_URL", "http://", "https://"), ("serverURL", "NEPHOS_URL", "https://a@b", "https://"),
            ("serverURL", "NEPHOS_URL", "https://b?c=d", "https://"),
            ("serverURL", "NEPHOS_URL", "not one", "https://"),
            ("environment", "NEPHOS_ENVIRONMENT", "Production", "development or production"),
            ("service", "NEPHOS_SERVICE", "icloud", "nephos or apple"),
        ])
    func aBadValueIsNamed(member: String, variable: String, value: String, advice: String) throws {
        try places.write(beside: #"{"\#(member)":"\#(value)"}"#, user: nil)
        let inFile = try #require(places.fault())
        #expect(inFile.contains(places.beside.path) && inFile.contains("nephos.json"))
        #expect(inFile.contains(member) && inFile.contains("'\(value)'") && inFile.contains(advice))

        try places.write(beside: nil, user: nil)
        let inVariable = try #require(places.fault(environment: [variable: value]))
        #expect(inVariable.contains(variable) && inVariable.contains("'\(value)'") && inVariable.contains(advice))
    }

    @Test(
        arguments: [
            "", "{", "[]", "null", "17", #"{"serverURL":5}"#, #"{"cacheLimit":"much"}"#, #"{"cacheLimit":1e30}"#,
            #"{"containers":[]}"#, #"{"containers":{"iCloud.a":5}}"#, #"{"container":{}}"#, "\u{FEFF}x",
        ])
    func aFileThatIsSomethingElseIsNamed(text: String) throws {
        try places.write(beside: text, user: nil)
        #expect(places.fault()?.contains(places.beside.appendingPathComponent("nephos.json").path) == true)
        try places.write(beside: "{}", user: text)
        #expect(places.fault()?.contains(places.user.appendingPathComponent("nephos.json").path) == true)
    }

    @Test func aBadValueOfAnotherContainerIsNoMatter() throws {
        try places.write(beside: #"{"containers":{"iCloud.b":{"serverURL":"nothing"}}}"#, user: nil)
        #expect(places.fault() == nil)
        try places.write(beside: #"{"containers":{"iCloud.a":{"serverURL":"nothing"}}}"#, user: nil)
        #expect(places.fault()?.contains("'nothing'") == true)
    }

    @Test func unknownMembersAreNoMatter() throws {
        try places.write(beside: #"{"comment":"of people","containers":{"iCloud.a":{"new":[1]}}}"#, user: nil)
        #expect(places.fault() == nil)
    }

    @Test func halfOfAKeyIsNone() throws {
        try places.write("key.pem", "PEM")
        for half in [#"{"keyID":"id"}"#, #"{"privateKeyFile":"key.pem"}"#] {
            try places.write(beside: half, user: nil)
            let fault = try #require(places.fault())
            #expect(fault.contains("nephos.json") && fault.contains("keyID") && fault.contains("privateKeyFile"))
        }
        try places.write(beside: nil, user: nil)
        for half in [["NEPHOS_KEY_ID": "id"], ["NEPHOS_PRIVATE_KEY": "/key.pem"]] {
            let fault = try #require(places.fault(environment: half))
            #expect(fault.contains("NEPHOS_KEY_ID") && fault.contains("NEPHOS_PRIVATE_KEY"))
        }
    }

    // docs/client.md
    @Test(arguments: [0o644, 0o640, 0o604, 0o620]) func aKeyFileThatOthersMayReadIsRefused(permissions: Int) throws {
        try places.write("key.pem", "PEM")
        try places.write(beside: #"{"keyID":"id","privateKeyFile":"key.pem"}"#, user: nil)
        let path = places.beside.appendingPathComponent("key.pem").path
        #expect(places.fault() == nil)
        try FileManager.default.setAttributes([.posixPermissions: permissions], ofItemAtPath: path)
        // A service's user may read a key of root through its group.
        let isForGroup = geteuid() == 0 && permissions & 0o040 != 0
        if isForGroup, permissions == 0o640 {
            #expect(places.fault() == nil)
        } else {
            #expect(places.fault()?.contains("chmod \(isForGroup ? "640" : "600") '\(path)'") == true)
        }
    }

    // docs/client.md
    @Test func settingsThatEverybodyMayChangeAreRefused() throws {
        try places.write(beside: #"{"serverURL":"https://cloud.test"}"#, user: nil)
        let path = places.beside.appendingPathComponent("nephos.json").path
        try FileManager.default.setAttributes([.posixPermissions: 0o664], ofItemAtPath: path)
        #expect(places.fault() == nil)
        try FileManager.default.setAttributes([.posixPermissions: 0o666], ofItemAtPath: path)
        #expect(places.fault()?.contains("chmod o-w '\(path)'") == true)
    }

    @Test(arguments: ["nephos.json", "key.pem"]) func aPipeInPlaceOfAFileIsRefused(name: String) throws {
        try places.write("key.pem", "PEM")
        try places.write(beside: #"{"keyID":"id","privateKeyFile":"key.pem"}"#, user: nil)
        let path = places.beside.appendingPathComponent(name).path
        try FileManager.default.removeItem(atPath: path)
        #expect(mkfifo(path, 0o600) == 0)
        #expect(places.fault()?.contains("\(path) cannot be read: it is not a file") == true)
    }

    @Test func aKeyFileThatIsNotThereIsNamed() throws {
        try places.write(beside: #"{"keyID":"id","privateKeyFile":"no.pem"}"#, user: nil)
        #expect(places.fault()?.contains(places.beside.appendingPathComponent("no.pem").path) == true)
    }

    /// A program gets the message as a `CKError` with its first request, and is otherwise not affected.
    @Test func theMessageComesWithTheFirstRequest() async throws {
        let fault = ConfigurationFault(message: "nephos.json: serverURL is 'x': write an address")
        let transport = ScriptedTransport { _ in .json("{}") }
        let service = Service(container: "iCloud.a", configuration: .failure(fault), transport: transport)
        let container = CKContainer(ContainerCore(service), OperationDefaults())
        #expect(try await container.accountStatus() == .noAccount)
        let query = CKQuery(recordType: "Note", predicate: NSPredicate(value: true))
        let error = await #expect(throws: CKError.self) {
            try await container.publicCloudDatabase.records(matching: query)
        }
        #expect(error?.code == .missingEntitlement && error?.localizedDescription == fault.message)
        #expect(transport.requests.isEmpty)
    }

    @Test func withoutAServerAProgramIsToldHowToNameOne() async throws {
        let container = CKContainer.test(ScriptedTransport { _ in .json("{}") }, NephosConfiguration(webAuthToken: "x"))
        let error = await #expect(throws: CKError.self) { try await container.userRecordID() }
        #expect(error?.code == .missingEntitlement)
        #expect(error?.localizedDescription.contains("NEPHOS_URL") == true)
        #expect(error?.localizedDescription.contains("serverURL") == true)
    }

    @Test func withoutAPersonAProgramIsToldHowToSignIn() async throws {
        var configuration = NephosConfiguration.test
        configuration.webAuthToken = nil
        let transport = ScriptedTransport { _ in .json("{}") }
        let container = CKContainer.test(transport, configuration)
        for database in [container.privateCloudDatabase, container.sharedCloudDatabase] {
            let error = await #expect(throws: CKError.self) { try await database.allRecordZones() }
            #expect(error?.code == .notAuthenticated)
            #expect(error?.localizedDescription.contains("NEPHOS_WEB_AUTH_TOKEN") == true)
        }
        #expect(transport.requests.isEmpty)
    }
}
