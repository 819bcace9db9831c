import Foundation
import NephosTesting
import Testing

@testable import NephosKit
@testable import NephosTransport

/// Responses about files: invalid URLs, incomplete files, and rejected uploads.
@Suite struct FileAnswerTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// A server that responds to a look-up with a record with a file at this URL, and to everything else by `script`.
    private func fetched(
        from address: String, size: String = "5", _ script: @escaping ScriptedTransport.Script
    ) async throws -> (code: CKError.Code?, requests: [TransportRequest], record: CKRecord?) {
        let file = #"{"fileChecksum":"c","size":\#(size),"downloadURL":"\#(address)"}"#
        let transport = ScriptedTransport.signedIn { request in
            guard request.path == "records/lookup" else { return await script(request) }
            return .json(
                #"{"records":[{"recordName":"a","recordType":"T","fields":{"f":{"value":\#(file),"type":"ASSETID"}}}]}"#
            )
        }
        var configuration = NephosConfiguration.test
        configuration.cacheFolder = URL(fileURLWithPath: folder.path)
        let database = CKContainer.test(transport, configuration).privateCloudDatabase
        do {
            let record = try await database.record(for: CKRecord.ID(recordName: "a"))
            return (nil, transport.requests, record)
        } catch {
            return ((error as? CKError)?.code, transport.requests, nil)
        }
    }

    /// The contents of the folder of files, at any depth.
    private var kept: Int {
        let all = FileManager.default.enumerator(at: URL(fileURLWithPath: folder.path), includingPropertiesForKeys: nil)
        return all?.compactMap { $0 as? URL }.filter { !$0.hasDirectoryPath }.count ?? 0
    }

    /// Writes the response's body to the file, like the transport.
    private static func file(_ text: String) -> ScriptedTransport.Script {
        { request in
            guard case .file(let url, _) = request.sink, (try? Data(text.utf8).write(to: url)) != nil else {
                return .fault(.local)
            }
            return .answer(200, [])
        }
    }

    @Test func aGoodFileIsThere() async throws {
        let (code, _, record) = try await fetched(from: "https://files.test/${f}", Self.file("hello"))
        let url = try #require((record?["f"] as? CKAsset)?.fileURL)
        #expect(code == nil)
        #expect(try Data(contentsOf: url) == Data("hello".utf8))
    }

    @Test(
        arguments: [
            "", "file:///etc/passwd", "ftp://files.test/x", "data:text/plain,hello", "http://", "/relative", "not one",
            "javascript:0",
        ])
    func onlyAddressesOfTheWebAreAsked(address: String) async throws {
        let (code, requests, _) = try await fetched(from: address, Self.file("hello"))
        #expect(code == .assetNotAvailable)
        #expect(requests.map(\.path) == ["users/caller", "records/lookup"])
    }

    @Test(arguments: ["hell", "hello!", ""]) func aFileOfAnotherSizeIsNotTaken(text: String) async throws {
        let (code, _, _) = try await fetched(from: "https://files.test/x", Self.file(text))
        #expect(code == .assetNotAvailable && kept == 0)
    }

    @Test(arguments: ["-1", "-9223372036854775808"]) func aSizeThatIsNoneIsNotTaken(size: String) async throws {
        let (code, _, _) = try await fetched(from: "https://files.test/x", size: size, Self.file(""))
        #expect(code == .assetNotAvailable && kept == 0)
    }

    /// No token of ours is sent: the URL contains its own credential.
    @Test func theAddressIsAskedAsItStands() async throws {
        let (_, requests, _) = try await fetched(from: "https://files.test/x?key=%2F", Self.file("hello"))
        let request = try #require(requests.last)
        #expect(request.url.absoluteString == "https://files.test/x?key=%2F" && request.headers.isEmpty)
    }

    @Test(
        arguments: [
            (404, .assetNotAvailable), (403, .assetNotAvailable), (410, .assetNotAvailable), (206, .assetNotAvailable),
            (302, .networkFailure), (429, .requestRateLimited), (500, .serviceUnavailable), (503, .serviceUnavailable),
        ] as [(Int, CKError.Code)])
    func whatMayPassIsToldFromWhatDoesNot(status: Int, expected: CKError.Code) async throws {
        let (code, _, _) = try await fetched(from: "https://files.test/x") { _ in .answer(status, "<html>".utf8) }
        #expect(code == expected && kept == 0)
    }

    @Test(
        arguments: [
            (.lost, .networkFailure), (.noNetwork, .networkUnavailable), (.unusable, .assetNotAvailable),
            (.local, .assetNotAvailable),
        ] as [(TransportFault.Kind, CKError.Code)])
    func faultsAreToldApartToo(kind: TransportFault.Kind, expected: CKError.Code) async throws {
        let (code, _, _) = try await fetched(from: "https://files.test/x") { _ in .fault(kind) }
        #expect(code == expected)
    }

    // MARK: Uploads

    /// Saves a record with a file, on a server that returns these URLs and answers the upload like this.
    private func saved(
        to addresses: String, _ upload: Result<TransportAnswer, TransportFault>
    ) async throws -> (code: CKError.Code?, requests: [String]) {
        let path = "\(folder.path)/source"
        try writeFile(path, "hello".utf8)
        let record = CKRecord(recordType: "T", recordID: CKRecord.ID(recordName: "a"))
        record["f"] = CKAsset(fileURL: URL(fileURLWithPath: path))
        let transport = ScriptedTransport.signedIn { request in
            switch request.path {
            case "assets/upload": .json(#"{"tokens":[\#(addresses)]}"#)
            case "records/modify": .json(#"{"records":[{"recordName":"a","recordType":"T","recordChangeTag":"1"}]}"#)
            default: upload
            }
        }
        let outcome = await Outcome {
            "\(try await CKContainer.test(transport).privateCloudDatabase.save(record).recordID)"
        }
        if case .error(let code) = outcome { return (code, transport.requests.map(\.path)) }
        #expect(outcome.isFit)
        return (nil, transport.requests.map(\.path))
    }

    private static let address = #"{"url":"https://files.test/up/x"}"#
    private static let taken = #"{"singleFile":{"fileChecksum":"c","size":5,"receipt":"r"}}"#

    @Test func anUploadThatWasTakenIsSaved() async throws {
        let (code, requests) = try await saved(to: Self.address, .json(Self.taken))
        #expect(code == nil && requests == ["users/caller", "assets/upload", "up/x", "records/modify"])
    }

    @Test(arguments: ["", #"{"url":"file:///tmp/x"}"#, #"{"url":5}"#, "{}", address + "," + address, "7"])
    func withoutAnAddressNothingIsSent(addresses: String) async throws {
        let (code, requests) = try await saved(to: addresses, .json(Self.taken))
        #expect(code == .internalError && requests == ["users/caller", "assets/upload"])
    }

    @Test(
        arguments: [
            (.json(""), .internalError), (.json("{}"), .internalError), (.json("<html>"), .internalError),
            (.json(#"{"singleFile":{"fileChecksum":"c","size":6}}"#), .assetFileModified),
            (.answer(503, []), .serviceUnavailable), (.answer(413, []), .limitExceeded),
            (.fault(.lost), .networkFailure),
        ] as [(Result<TransportAnswer, TransportFault>, CKError.Code)])
    func anUploadThatWasNotTakenIsNotSaved(
        upload: Result<TransportAnswer, TransportFault>, expected: CKError.Code
    ) async throws {
        let (code, requests) = try await saved(to: Self.address, upload)
        #expect(code == expected && !requests.contains("records/modify"))
    }
}
