import Foundation
import NephosTesting
import Synchronization
import Testing

/// Servers that share a database also share the folder of files: docs/scaling.md, docs/protocol.md U1 to U11.
@Suite(.serialized) struct FileTests {
    private static func content(_ number: Int) -> [UInt8] {
        var dice = SeededGenerator(seed: UInt64(number))
        return (0..<Int.random(in: 0...30_000, using: &dice)).map { _ in UInt8.random(in: .min ... .max, using: &dice) }
    }

    private static func save(_ name: String, _ file: JSON, _ client: CloudKitClient) throws {
        let record: JSON = [
            "recordName": .string(name), "recordType": "Item", "fields": ["file": ["value": file]],
        ]
        let operation: JSON = ["operationType": "forceReplace", "record": record]
        let answer = try client.post("records/modify", .private, ["operations": [operation]])
        guard try answer.json["records"][0]["serverErrorCode"].isAbsent else {
            throw UnexpectedAnswer(description: "records/modify: \(try answer.json)")
        }
    }

    /// The content of a record's file, looked up on one server and downloaded from another.
    private static func load(_ name: String, _ client: CloudKitClient, from other: CloudKitClient) throws -> [UInt8]? {
        let answer = try client.post("records/lookup", .private, ["records": [["recordName": .string(name)]]])
        let url = try answer.json["records"][0]["fields"]["file"]["value"]["downloadURL"].string
        guard let url else { throw UnexpectedAnswer(description: "records/lookup: \(try answer.json)") }
        let file = try other.load("GET", url)
        return file.status == 200 ? file.body : nil
    }

    @Test("A file that one server receives, another saves, and both serve")
    func shared() throws {
        let fleet = try Fleet(2)
        let (one, other) = (fleet.client(0), fleet.client(1))
        let file = try one.send(file: Self.content(1), to: other.uploadURLs(field: "file")[0])
        try Self.save("a", file, other)
        #expect(try Self.load("a", one, from: other) == Self.content(1))
        #expect(try Self.load("a", other, from: one) == Self.content(1))
        // Referenced by one record, and uploaded again: there is one file.
        let again = try other.send(file: Self.content(1), to: one.uploadURLs(field: "file")[0])
        #expect(again["fileChecksum"] == file["fileChecksum"])
        try Self.save("b", again, one)
        #expect(try fleet.files.count == 1)
    }

    @Test(
        "No file is lost while eight clients upload, save and replace equal and different files and servers are killed")
    func chaos() throws {
        let fleet = try Fleet(2)
        try Self.save(
            "first", try fleet.client(0).send(file: [1], to: fleet.client(0).uploadURLs(field: "file")[0]),
            fleet.client(0))
        let saved = Mutex<[String: Int]>([:])
        let writing = Mutex(8)
        try inThreads(9) { worker in
            if worker == 8 {
                for round in 0... {
                    guard writing.withLock({ $0 }) > 0 else { return }
                    let server = fleet.servers[round % 2]
                    try server.kill()
                    try server.start()
                    _ = Deadline(seconds: 1).waits { writing.withLock { $0 } == 0 }
                }
            }
            defer { writing.withLock { $0 -= 1 } }
            for round in 0..<25 {
                // Two clients at a time have the same content.
                let (name, number) = ("w\(worker)-\(round % 7)", worker / 2 * 100 + round % 11)
                let clients = [fleet.client(round % 2), fleet.client((round + 1) % 2)]
                var isSaved = false
                let patience = Deadline()
                while !isSaved, !patience.hasPassed {
                    do {
                        let url = try clients[0].uploadURLs(field: "file")[0]
                        try Self.save(name, try clients[1].send(file: Self.content(number), to: url), clients[0])
                        isSaved = true
                    } catch is SystemError {} catch is HTTPError {}  // Its server is down, and will be restarted.
                }
                #expect(isSaved, "\(name) was never saved")
                saved.withLock { $0[name] = number }
            }
        }
        for (name, number) in saved.withLock({ $0 }) {
            #expect(try Self.load(name, fleet.client(0), from: fleet.client(1)) == Self.content(number), "\(name)")
        }
        let check = try fleet.servers[0].command.run(["check"])
        #expect(check.status == 0, "\(check.output)\(check.errors)")
    }
}

extension Fleet {
    /// Paths of the files in the shared folder, without drafts and markers.
    var files: [String] {
        get throws {
            try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter {
                $0.split(separator: "/").count == 4 && !$0.hasSuffix("/.durable")
            }
        }
    }
}
