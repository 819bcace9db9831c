import Foundation
import NephosAssets
import NephosStorage
import NephosTesting
import Testing

let home = makeHome(of: "iCloud.com.example.app")

/// The home of a container.
func makeHome(
    of container: String, _ environment: NephosStorage.Environment = .development, incarnation: UInt64 = 7
) -> AssetHome {
    AssetHome(tenant: Tenant(container: container, environment: environment), incarnation: incarnation)
}

let key = Array<UInt8>(0..<32)
let pieceBytes = 64 << 10

/// Bytes derived from a seed.
func content(_ count: Int, seed: UInt64 = 1) -> [UInt8] {
    var generator = SeededGenerator(seed: seed)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count + 8)
    while bytes.count < count { withUnsafeBytes(of: generator.next()) { bytes += $0 } }
    return Array(bytes.prefix(count))
}

func address(of content: [UInt8], key: [UInt8] = key, database: DatabaseNumber = 1) -> AssetAddress {
    var hasher = AssetHasher(key: key, database: database)
    hasher.update(content)
    return hasher.finalize()
}

func file(of content: [UInt8], nonce: UInt64 = 1, home: AssetHome = home) -> AssetFile {
    AssetFile(home: home, database: 1, address: address(of: content), nonce: nonce)
}

extension AssetStore {
    /// Stores a content under its address, in pieces.
    @discardableResult
    func save(_ content: [UInt8], nonce: UInt64 = 1, home: AssetHome = home) throws -> AssetFile {
        let file = file(of: content, nonce: nonce, home: home)
        let draft = try create(in: home)
        for start in stride(from: 0, to: content.count, by: pieceBytes) {
            try draft.append(Array(content[start..<min(start + pieceBytes, content.count)]))
        }
        try draft.publish(as: file)
        return file
    }

    func content(of file: AssetFile) throws -> [UInt8] {
        let content = try open(file)
        return try content.read(at: 0, count: Int(content.size) + 1)
    }

    func files(in home: AssetHome = home) throws -> [StoredAsset] {
        var files: [StoredAsset] = []
        try self.files(in: home) { files.append($0) }
        return files
    }

    func verify(_ file: AssetFile) throws -> AssetVerdict { try verify(file, key: key) }
}

extension AssetContent {
    func read(at offset: Int64, count: Int) throws -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        let read = try bytes.withUnsafeMutableBytes { try self.read(at: offset, into: $0) }
        return Array(bytes.prefix(read))
    }
}

extension TemporaryFolder {
    /// Paths of all files below, including drafts; folders and the markers in them are left out.
    func files() throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: path).map { "\(path)/\($0)" }.filter { path in
            try !path.hasSuffix("/.durable") && SystemCalls().status(at: path).kind != .folder
        }.sorted()
    }

    func drafts() throws -> [String] { try files().filter { $0.contains("/.drafts/") } }

    /// The path of the only published file.
    func onlyFile() throws -> String {
        let files = try files().filter { !$0.contains("/.drafts/") }
        try #require(files.count == 1, "\(files)")
        return files[0]
    }
}

func modificationTime(of path: String) throws -> Milliseconds { try SystemCalls().status(at: path).modifiedAt }

func setModificationTime(of path: String, to time: Milliseconds) throws {
    let stamp = timespec(tv_sec: Int(time / 1_000), tv_nsec: Int(time % 1_000) * 1_000_000)
    guard utimensat(AT_FDCWD, path, [stamp, stamp], 0) == 0 else { throw SystemError("utimensat \(path)") }
}

/// The last nine bits: permissions to read, write and enter.
func permissions(of path: String) throws -> Int {
    var status = stat()
    guard lstat(path, &status) == 0 else { throw SystemError("lstat \(path)") }
    return Int(status.st_mode & 0o777)
}
