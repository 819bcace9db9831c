import Foundation
import NephosTesting
import Testing

@testable import NephosKit

/// Apple's own web services: none of our extensions are sent, and a token is stored for the next launch, because only the last one
/// is valid.
@Suite struct AppleModeTests {
    private let folder: TemporaryFolder
    private let file: CredentialsFile
    private var path: String { file.url.path }

    init() throws {
        folder = try TemporaryFolder()
        file = CredentialsFile(folder: URL(fileURLWithPath: folder.path))
    }

    private static let apple = "https://api.apple-cloudkit.com"

    private func configuration(_ server: String, _ service: NephosConfiguration.Service? = nil) -> NephosConfiguration {
        var configuration = NephosConfiguration.test
        configuration.serverURL = URL(string: server)
        configuration.service = service
        return configuration
    }

    private func place(_ configuration: NephosConfiguration) throws -> CredentialsFile.Place {
        CredentialsFile.Place(
            server: try #require(configuration.serverURL), container: "iCloud.org.example.Test",
            environment: .development)
    }

    private let renewing = ScriptedTransport { _ in
        .json(#"{"userRecordName":"_me"}"#, ["x-apple-cloudkit-web-auth-token": "second"])
    }

    @Test(
        arguments: [
            (apple, nil, false), ("https://cloud.test", nil, true), ("https://cloud.test", .apple, false),
            (apple, .nephos, true), ("https://api.apple-cloudkit.com.evil.test", nil, true),
        ] as [(String, NephosConfiguration.Service?, Bool)])
    func ourHeaderGoesToOurServersOnly(server: String, service: NephosConfiguration.Service?, isOurs: Bool) async throws
    {
        var configuration = configuration(server, service)
        configuration.app = AppReport(
            version: "2.3", platform: "Li;nux\n", systemVersion: "6.1", locale: "es_MX", device: "desk")
        _ = try await CKContainer.test(renewing, configuration).accountStatus()
        let request = try #require(renewing.requests.first)
        #expect(request.headers["X-Nephos-Client"] == (isOurs ? "1" : nil))
        #expect(request.headers["X-Nephos-App"] == (isOurs ? "2.3;Linux;6.1;es_MX;desk" : nil))
        #expect(
            request.url.absoluteString.hasPrefix(
                "\(server)/database/1/iCloud.org.example.Test/development/public/users/caller?ckAPIToken=api&"))
    }

    @Test(
        "M14: only our server is asked to report that a record does not exist",
        arguments: [(apple, "forceDelete"), ("https://cloud.test", "delete")])
    func deletions(server: String, operation: String) async throws {
        let transport = ScriptedTransport.signedIn { _ in .answer(400, []) }
        let database = CKContainer.test(transport, configuration(server)).privateCloudDatabase
        let id = CKRecord.ID(recordName: "a")
        _ = try? await database.deleteRecord(withID: id)
        _ = try? await database.modifyRecords(saving: [], deleting: [id])
        let asked = transport.requests.filter { $0.path == "records/modify" }
            .map { String(decoding: $0.bytes, as: UTF8.self) }
        try #require(asked.count == 2)
        #expect(asked[0].contains(#""operationType":"\#(operation)""#), "\(asked[0])")
        #expect(asked[1].contains(#""operationType":"forceDelete""#))
    }

    @Test func theFileHasTheLastToken() async throws {
        let configuration = configuration(Self.apple)
        try file.update(place(configuration)) { ($0.webAuthToken, $0.apiToken) = ("first", "api") }
        _ = try await CKContainer.test(renewing, configuration, credentials: file).accountStatus()
        let kept = try #require(try file.read()[place(configuration)])
        #expect(kept.webAuthToken == "second" && kept.apiToken == "api")
        #expect(try mode(path) == 0o600)
    }

    @Test func ourTokensStayGoodAndAreNotKept() async throws {
        let configuration = configuration("https://cloud.test")
        try file.update(place(configuration)) { $0.webAuthToken = "first" }
        let before = try readFile(path)
        _ = try await CKContainer.test(renewing, configuration, credentials: file).accountStatus()
        #expect(try readFile(path) == before)
    }

    /// A program that passes it in code or in a variable wants no file.
    @Test func aTokenThatIsNotInTheFileIsNotPutThere() async throws {
        let configuration = configuration(Self.apple)
        _ = try await CKContainer.test(renewing, configuration, credentials: file).accountStatus()
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
        try file.update(place(configuration)) { $0.apiToken = "api" }
        _ = try await CKContainer.test(renewing, configuration, credentials: file).accountStatus()
        #expect(try file.read()[place(configuration)]?.webAuthToken == nil)
    }

    @Test func aFileThatCannotBeWrittenDoesNotStopTheProgram() async throws {
        let configuration = configuration(Self.apple)
        try file.update(place(configuration)) { $0.webAuthToken = "first" }
        try setMode(path, 0o644)
        let container = CKContainer.test(renewing, configuration, credentials: file)
        #expect(try await container.accountStatus() == .available)
        #expect(container.service.webAuthToken == "second")
    }

    /// Many concurrent responses: whatever order they are written in, the file ends with the token that is used next.
    @Test func theFileNeverFallsBehind() async throws {
        let configuration = configuration(Self.apple)
        try file.update(place(configuration)) { $0.webAuthToken = "first" }
        let number = LockedBox(0)
        let transport = ScriptedTransport { _ in
            let next = number.withLock {
                $0 += 1; return $0
            }
            return .json(#"{"userRecordName":"_me"}"#, ["x-apple-cloudkit-web-auth-token": "token-\(next)"])
        }
        let service = CKContainer.test(transport, configuration, credentials: file).service
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<40 { group.addTask { _ = try? await service.confirmUser(Service.Terms()) } }
        }
        #expect(try file.read()[place(configuration)]?.webAuthToken == service.webAuthToken)
        #expect(service.webAuthToken?.hasPrefix("token-") == true)
        #expect(try mode(path) == 0o600)
    }
}

/// Permissions of a file.
func mode(_ path: String) throws -> Int {
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    return try #require(attributes[.posixPermissions] as? NSNumber).intValue
}

func setMode(_ path: String, _ mode: Int) throws {
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
}
