import Foundation
import NephosTesting
import Synchronization

/// `nephos-acceptance files`: ten thousand small files and one of a gigabyte are uploaded to a server, replaced, deleted, restored
/// and compared (docs/protocol.md, "Assets").
///
/// Configured by environment variables: `NEPHOS_FILES_COUNT`, and `NEPHOS_FILES_LARGE_MB` in millions of bytes.
final class ManyFiles: Sendable {
    /// Half of them act as one user, half as another, each with its own range of numbers, all in the public database.
    private static let workers = 4
    private static let batch = 100

    private let count = ManyFiles.number("NEPHOS_FILES_COUNT") ?? 10_000
    private let large = LargeFile(pieces: ManyFiles.number("NEPHOS_FILES_LARGE_MB") ?? 1_000)
    private let folder: TemporaryFolder
    private let container: TestContainer
    private let tokens: [String]
    private let note: @Sendable (String) -> Void
    private let faults = Mutex<[String]>([])

    private static func number(_ name: String) -> Int? {
        ProcessInfo.processInfo.environment[name].flatMap { Int($0) }
    }

    init(note: @escaping @Sendable (String) -> Void) throws {
        self.note = note
        folder = try TemporaryFolder(prefix: "nephos-files")
        container = try TestCloud(
            environment: [
                "NEPHOS_ASSETS": folder.path, "NEPHOS_ASSET_MB": "\(large.size / (1 << 20) + 1)",
                "NEPHOS_UNHELD_PERSON_MB": "100000", "NEPHOS_UNHELD_CONTAINER_MB": "100000",
            ]
        ).container()
        tokens = try ["ada", "grace"].map { [container] in try container.signIn("\($0)@example.org") }
        // The first record of a type extends the schema.
        try client(0).save([0], from: 0)
    }

    /// - Returns: Whether there were no findings.
    func run() throws -> Bool {
        var table = [["step", "files", "MB", "seconds", "server CPU seconds"]]
        func step(_ name: String, files: Int, bytes: Int, _ body: () throws -> Void) throws {
            let (start, used) = (ContinuousClock.now, try container.cloud.process.usage.cpuNanoseconds)
            try body()
            let seconds = (ContinuousClock.now - start) / .seconds(1)
            let cpu = Double(try container.cloud.process.usage.cpuNanoseconds - used) / 1e9
            table.append(
                [name, "\(files)", "\(bytes / 1_000_000)"] + [seconds, cpu].map { String(format: "%.1f", $0) })
            note("\(name): \(table.last?.dropFirst().joined(separator: ", ") ?? "")")
        }
        let all = Array(0..<count)
        let (changed, deleted) = (all.filter { $0 % 4 == 1 }, all.filter { $0 % 4 == 2 })
        let restored = Array(deleted.prefix(20))
        try step("upload and save", files: count, bytes: bytes(all)) { try each(all) { try $1.save($0, from: 0) } }
        try step("download", files: count, bytes: bytes(all)) {
            try each(all) { [self] in try compare($0, from: 0, $1) }
        }
        try step("replace", files: changed.count, bytes: bytes(changed, from: count)) {
            try each(changed) { [count] in try $1.save($0, from: count) }
        }
        try step("delete", files: deleted.count, bytes: 0) { try each(deleted) { try $1.delete($0) } }
        try step("restore", files: restored.count, bytes: 0) {
            for number in restored {
                try container.cloud.server.command("trash", "restore", container.id, FilesClient.name(number))
            }
        }
        let left = all.filter { $0 % 4 != 2 && $0 % 4 != 1 } + restored
        try step("download again", files: left.count + changed.count, bytes: bytes(left) + bytes(changed, from: count))
        {
            try each(left) { [self] in try compare($0, from: 0, $1) }
            try each(changed) { [self] in try compare($0, from: count, $1) }
        }
        try runLarge(step)
        print(TextTable.text(of: table, left: [0]))
        try check()
        let found = faults.withLock { $0 }
        for fault in found.prefix(20) { note(fault) }
        print("Faults: \(found.count).")
        return found.isEmpty
    }

    private func runLarge(_ step: (String, Int, Int, () throws -> Void) throws -> Void) throws {
        let (client, server) = (client(0), try container.cloud.process)
        let before = try server.usage.residentBytesMax
        var value: JSON = .absent
        try step("upload a large one", 1, large.size) {
            value = try large.upload(to: try client.wire.uploadURLs(field: "file", in: .public)[0], client.wire)
        }
        try client.save("large", value)
        let url = try client.downloadURLs(of: ["large"])[0]
        try step("download a large one", 1, large.size) {
            if let difference = try large.difference(at: url, client.wire) { fault("the large file: \(difference)") }
        }
        let grown = try server.usage.residentBytesMax - before
        print("The most memory that the server held grew by \(grown >> 20) MB with the large file.")
    }

    /// Checks that the files on disk are those that were uploaded, equal files once, and that `nephos check` finds no fault.
    private func check() throws {
        let uploaded = Set(
            (0..<count).map(SmallFile.content)
                + (0..<count).filter { $0 % 4 == 1 }.map {
                    SmallFile.content($0 + count)
                })
        let found = try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter {
            // Only files, without folders, markers and drafts: <container>/<environment>/<part>/<address>-<database>-<nonce>
            $0.split(separator: "/").count == 4 && !$0.hasSuffix(".durable")
        }
        if found.count != uploaded.count + 1 { fault("\(found.count) files on the disk, not \(uploaded.count + 1)") }
        let check = try container.cloud.server.command.run(["check"])
        print("nephos check: \(check.status == 0 ? "clean" : "faults"); files on the disk: \(found.count).")
        if check.status != 0 { fault("nephos check: \(check.output)\(check.errors)") }
    }

    private func each(_ numbers: [Int], _ body: @escaping @Sendable ([Int], FilesClient) throws -> Void) throws {
        try inThreads(Self.workers) { [self] worker in
            let (client, own) = (client(worker), numbers.filter { $0 / Self.batch % Self.workers == worker })
            for start in stride(from: 0, to: own.count, by: Self.batch) {
                try body(Array(own[start..<min(start + Self.batch, own.count)]), client)
            }
        }
    }

    private func compare(_ numbers: [Int], from first: Int, _ client: FilesClient) throws {
        for text in try client.differences(numbers, from: first) { fault(text) }
    }

    private func client(_ worker: Int) -> FilesClient {
        let token = tokens[worker % tokens.count]
        return FilesClient(container.client(.person(apiToken: container.apiToken, webAuthToken: token)))
    }

    private func fault(_ text: String) { faults.withLock { $0.append(text) } }

    private func bytes(_ numbers: [Int], from first: Int = 0) -> Int {
        numbers.reduce(0) { $0 + SmallFile.content(first + $1).count }
    }
}
