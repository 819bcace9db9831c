import Foundation
import NephosTesting
import Testing

/// docs/protocol.md U3 and U4: a file is accepted completely or not at all, and incomplete data is removed.
@Suite struct UnfinishedUploadTests {
    @Test("An upload whose client disconnects leaves nothing") func closed() throws {
        let site = try Site()
        var connection: HTTPConnection? = try site.halfAnUpload()
        try site.expectDraft()
        #expect(connection != nil)
        connection = nil
        try site.expectNothingLeft()
    }

    @Test("A client that stops sending its upload gets 408, and leaves nothing") func stalled() throws {
        let site = try Site(["NEPHOS_STALLED_READ_SECONDS": "1"])
        let answer = try site.halfAnUpload().response()
        #expect(answer.status == 408)
        try site.expectNothingLeft()
    }

    @Test("An upload whose server is killed leaves a draft, which is not a file") func killed() throws {
        let site = try Site()
        let connection = try site.halfAnUpload()
        try site.expectDraft()
        try site.cloud.process.kill()
        #expect(throws: (any Error).self) { try connection.response() }
        try site.cloud.process.start()
        let left = try site.files
        #expect(left.count == 1 && left[0].hasPrefix(".drafts/"), "\(left)")
        #expect(try site.cloud.server.command.run(["check"]).status == 0)
    }
}

/// A server with a folder of its own for files, and a user who uploads.
private struct Site {
    private let folder: TemporaryFolder
    let cloud: TestCloud
    private let ada: CloudKitClient

    /// - Parameter limits: Environment variables of the server. Without them it is patient: a busy machine may take long between
    ///   two steps of a test.
    init(_ limits: [String: String] = [:]) throws {
        folder = try TemporaryFolder(prefix: "nephos-assets")
        cloud = try TestCloud(environment: limits.merging(["NEPHOS_ASSETS": folder.path]) { $1 })
        ada = try cloud.container().person("ada@example.org")
    }

    /// Files and drafts, without folders.
    var files: [String] {
        get throws {
            try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter { path in
                var isFolder: ObjCBool = false
                return FileManager.default.fileExists(atPath: "\(folder.path)/\(path)", isDirectory: &isFolder)
                    && !isFolder.boolValue
            }
        }
    }

    /// Sends half of a file.
    func halfAnUpload() throws -> HTTPConnection {
        let url = try ada.uploadURLs(field: "file")[0]
        // Opened only now: a connection without a request is closed after a while.
        let connection = try HTTPConnection(port: ada.port)
        let length = HTTPHeader("Content-Length", "2000000")
        try connection.send(HTTPRequest("POST", try CloudKitClient.target(of: url), headers: [length]))
        try connection.socket.send(content(1_000_000))
        return connection
    }

    /// Waits until some of the upload is on the disk.
    func expectDraft() throws { #expect(Deadline().waits { (try? files.count) == 1 }, "no draft") }

    func expectNothingLeft() throws {
        _ = Deadline().waits { (try? files.isEmpty) == true }
        #expect(try files == [])
        #expect(try cloud.server.command.run(["check"]).status == 0)
        #expect(try ada.send(file: content(1_000), to: ada.uploadURLs(field: "file")[0])["size"] == 1_000)
    }
}
