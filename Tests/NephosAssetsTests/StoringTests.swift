import Foundation
import NephosAssets
import NephosStorage
import NephosTesting
import Testing

@Suite("Storing") struct StoringTests {
    let folder: TemporaryFolder
    let store: DiskAssetStore

    init() throws {
        folder = try TemporaryFolder()
        store = try DiskAssetStore(folder: folder.path)
    }

    @Test(arguments: [0, 1, pieceBytes - 1, pieceBytes, 3 * pieceBytes + 5])
    func whatWasPublishedIsReadBackByAnotherServer(count: Int) throws {
        let bytes = content(count)
        let file = try store.save(bytes)
        let other = try DiskAssetStore(folder: folder.path)
        #expect(try other.open(file).size == Int64(count))
        #expect(try other.content(of: file) == bytes)
        #expect(try other.files().map(\.file) == [file])
        #expect(try folder.drafts() == [])
    }

    @Test func aFileIsReadFromAnyPlace() throws {
        let bytes = content(1_000)
        let open = try store.open(try store.save(bytes))
        #expect(try open.read(at: 0, count: 10) == Array(bytes[..<10]))
        #expect(try open.read(at: 990, count: 100) == Array(bytes[990...]))
        #expect(try open.read(at: 500, count: 0) == [])
        #expect(try open.read(at: 1_000, count: 10) == [])
        #expect(try open.read(at: 1 << 40, count: 10) == [])
        #expect(throws: AssetError.self) { try open.read(at: -1, count: 10) }
    }

    @Test func aFileIsReadByManyThreadsAtOnce() async throws {
        let bytes = content(1 << 20)
        let open = try store.open(try store.save(bytes))
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for part in 0..<16 {
                group.addTask {
                    let start = part << 16
                    return try open.read(at: Int64(start), count: 1 << 16) == Array(bytes[start..<start + 1 << 16])
                }
            }
            for try await isRight in group { #expect(isRight) }
        }
    }

    @Test func whatIsNotThereIsMissing() throws {
        #expect(throws: AssetError.missing) { try store.open(file(of: [1])) }
        let stored = try store.save([1], nonce: 1)
        #expect(throws: AssetError.missing) {
            try store.open(AssetFile(home: home, database: 1, address: stored.address, nonce: 2))
        }
        let other = makeHome(of: home.tenant.container, .production)
        #expect(throws: AssetError.missing) {
            try store.open(AssetFile(home: other, database: 1, address: stored.address, nonce: 1))
        }
    }

    @Test func oneContentUnderTwoNoncesIsTwoFiles() throws {
        let bytes = content(100)
        let (first, second) = (try store.save(bytes, nonce: 0), try store.save(bytes, nonce: .max))
        try store.remove(first)
        #expect(throws: AssetError.missing) { try store.open(first) }
        #expect(try store.content(of: second) == bytes)
    }

    @Test func aFileThatIsRemovedCanBeReadToItsEnd() throws {
        let bytes = content(100)
        let file = try store.save(bytes)
        let open = try store.open(file)
        try store.remove(file)
        #expect(try open.read(at: 0, count: 100) == bytes)
        #expect(throws: AssetError.missing) { try store.open(file) }
    }

    @Test func removingTwiceOrWhatNeverWasIsFine() throws {
        let file = try store.save([1])
        try store.remove(file)
        try store.remove(file)
        try store.remove(AssetFile(home: home, database: 1, address: address(of: [9]), nonce: 9))
        #expect(try folder.files() == [])
    }

    @Test func onlyTheOwnerMayReadFilesFoldersAndDrafts() throws {
        try store.save([1])
        let draft = try store.create(in: home)
        for name in try FileManager.default.subpathsOfDirectory(atPath: folder.path) {
            let path = "\(folder.path)/\(name)"
            let isFolder = try SystemCalls().status(at: path).kind == .folder
            #expect(try permissions(of: path) == (isFolder ? 0o700 : 0o600), "\(name)")
        }
        draft.discard()
    }

    @Test(arguments: [
        "", ".", "..", "../other", "a/b", "/", ".drafts", ".hidden", "a\0b", "a b", "lost+found", "é",
        String(repeating: "a", count: 256),
    ])
    func whatCouldLeadOutOfTheFolderIsNoContainer(id: String) throws {
        let other = makeHome(of: id, .production)
        let file = AssetFile(home: other, database: 1, address: address(of: []), nonce: 1)
        let draft = try store.create(in: home)
        for attempt in [
            { _ = try store.create(in: other) }, { _ = try store.open(file) }, { try store.remove(file) },
            { try store.files(in: other) { _ in } }, { try store.removeAll(in: other) },
            { try draft.publish(as: file) },
        ] as [() throws -> Void] {
            let error = #expect(throws: AssetError.self) { try attempt() }
            guard case .failed = error else { return #expect(Bool(false), "\(String(describing: error))") }
        }
    }

    @Test(arguments: ["drafts", "removed-1", "_", "-", "a.", String(repeating: "a", count: 255)])
    func everyIdThatAContainerMayHaveHasItsOwnFolder(id: String) throws {
        let other = makeHome(of: id, .production)
        let file = try store.save([1], home: other)
        #expect(try store.content(of: file) == [1])
    }

    @Test func aFolderThatIsMissingIsMadeWithThoseAboveIt() throws {
        let deep = try DiskAssetStore(folder: "\(folder.path)/a/b/c//")
        let file = try deep.save([1])
        #expect(try DiskAssetStore(folder: "\(folder.path)/a/b/c").content(of: file) == [1])
    }

    @Test func aFolderMayBeASymbolicLink() throws {
        try FileManager.default.createDirectory(atPath: "\(folder.path)/real", withIntermediateDirectories: false)
        try FileManager.default.createSymbolicLink(
            atPath: "\(folder.path)/link", withDestinationPath: "\(folder.path)/real")
        let file = try DiskAssetStore(folder: "\(folder.path)/link").save([1])
        #expect(try DiskAssetStore(folder: "\(folder.path)/real").content(of: file) == [1])
    }

    @Test func whereNoFolderCanBeTheStoreSaysWhatFailed() throws {
        try writeFile("\(folder.path)/file", [])
        let error = #expect(throws: AssetError.self) { try DiskAssetStore(folder: "\(folder.path)/file/assets") }
        guard case .failed(let words) = error else { return #expect(Bool(false), "\(String(describing: error))") }
        #expect(words.contains("\(folder.path)/file"))
    }
}
