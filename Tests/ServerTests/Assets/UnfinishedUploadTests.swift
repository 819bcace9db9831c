import Foundation
import NephosTesting
import Testing

/// docs/protocol.md U3 and U4: a file is accepted completely or not at all, and incomplete data is removed.
@Suite struct UnfinishedUploadTests {
    private let folder: TemporaryFolder
    private let cloud: TestCloud
    private let ada: CloudKitClient

    init() throws {
        folder = try TemporaryFolder(prefix: "nephos-assets")
        cloud = try TestCloud(
            environment: ["NEPHOS_ASSETS": folder.path, "NEPHOS_STALLED_READ_SECONDS": "1"])
        ada = try cloud.container().person("ada@example.org")
    }

    /// Files and drafts, without folders.
    private var files: [String] {
        get throws {
            try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter { path in
                var isFolder: ObjCBool = false
                return FileManager.default.fileExists(atPath: "\(folder.path)/\(path)", isDirectory: &isFolder)
                    && !isFolder.boolValue
            }
        }
    }

    /// Sends half of a file, and waits until some of it is on the disk.
    private func halfAnUpload() throws -> HTTPConnection {
        let connection = try HTTPConnection(port: ada.port)
        let url = try ada.uploadURLs(field: "file")[0]
        let length = HTTPHeader("Content-Length", "2000000")
        try connection.send(HTTPRequest("POST", try CloudKitClient.target(of: url), headers: [length]))
        try connection.socket.send(content(1_000_000))
        #expect(Deadline(seconds: 10).waits { (try? files.count) == 1 }, "no draft")
        return connection
    }

    private func expectNothingLeft() throws {
        _ = Deadline(seconds: 10).waits { (try? files.isEmpty) == true }
        #expect(try files == [])
        #expect(try cloud.server.command.run(["check"]).status == 0)
        #expect(try ada.send(file: content(1_000), to: ada.uploadURLs(field: "file")[0])["size"] == 1_000)
    }

    @Test("An upload whose client disconnects leaves nothing") func closed() throws {
        var connection: HTTPConnection? = try halfAnUpload()
        #expect(connection != nil)
        connection = nil
        try expectNothingLeft()
    }

    @Test("A client that stops sending its upload gets 408, and leaves nothing") func stalled() throws {
        let answer = try halfAnUpload().response()
        #expect(answer.status == 408)
        try expectNothingLeft()
    }

    @Test("An upload whose server is killed leaves a draft, which is not a file") func killed() throws {
        let connection = try halfAnUpload()
        try cloud.process.kill()
        #expect(throws: (any Error).self) { try connection.response() }
        try cloud.process.start()
        let left = try files
        #expect(left.count == 1 && left[0].hasPrefix(".drafts/"), "\(left)")
        #expect(try cloud.server.command.run(["check"]).status == 0)
    }
}
