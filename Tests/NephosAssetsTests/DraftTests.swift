import Foundation
import NephosAssets
import NephosStorage
import NephosTesting
import Testing

@Suite("Drafts") struct DraftTests {
    let folder: TemporaryFolder
    let store: DiskAssetStore

    init() throws {
        folder = try TemporaryFolder()
        store = try DiskAssetStore(folder: folder.path)
    }

    @Test func nobodyFindsADraftUntilItIsPublished() throws {
        let draft = try store.create(in: home)
        try draft.append([1, 2])
        try draft.append([])
        try draft.append([3])
        #expect(draft.size == 3)
        #expect(try store.files() == [])
        #expect(throws: AssetError.missing) { try store.open(file(of: [1, 2, 3])) }
        try draft.publish(as: file(of: [1, 2, 3]))
        #expect(try store.content(of: file(of: [1, 2, 3])) == [1, 2, 3])
    }

    @Test func aDiscardedDraftLeavesNothing() throws {
        let draft = try store.create(in: home)
        try draft.append(content(100_000))
        draft.discard()
        draft.discard()
        #expect(try folder.files() == [])
    }

    @Test func aDraftThatIsLetGoLeavesNothing() throws {
        do {
            let draft = try store.create(in: home)
            try draft.append([1])
            #expect(try folder.drafts().count == 1)
        }
        #expect(try folder.files() == [])
    }

    @Test func publishingNeverReplacesAFile() throws {
        let file = try store.save([1])
        let draft = try store.create(in: home)
        try draft.append([2])
        let error = #expect(throws: AssetError.self) { try draft.publish(as: file) }
        guard case .failed(let words) = error else { return #expect(Bool(false), "\(String(describing: error))") }
        #expect(words.contains(file.address.description))
        draft.discard()
        #expect(try store.content(of: file) == [1])
        #expect(try folder.files().count == 1)
    }

    @Test func ofManyServersThatPublishUnderOneNameExactlyOneDoes() async throws {
        let (path, name) = (folder.path, file(of: []))
        let winners = try await withThrowingTaskGroup(of: [UInt8]?.self) { group in
            for number in 0..<16 {
                group.addTask {
                    let bytes = content(10_000, seed: UInt64(number))
                    let draft = try DiskAssetStore(folder: path).create(in: home)
                    try draft.append(bytes)
                    do { try draft.publish(as: name) } catch AssetError.failed { return nil }
                    return bytes
                }
            }
            return try await group.reduce(into: [[UInt8]]()) { winners, bytes in
                if let bytes { winners.append(bytes) }
            }
        }
        #expect(winners.count == 1)
        #expect(try store.content(of: name) == winners.first)
        #expect(try folder.drafts() == [])
    }

    @Test func aDraftThatIsOverTakesNothingMore() throws {
        let file = file(of: [])
        let (published, discarded) = (try store.create(in: home), try store.create(in: home))
        try published.publish(as: file)
        discarded.discard()
        for draft in [published, discarded] {
            #expect(throws: AssetError.self) { try draft.append([1]) }
            #expect(throws: AssetError.self) {
                try draft.publish(as: AssetFile(home: home, database: 1, address: file.address, nonce: 2))
            }
            draft.discard()
        }
        #expect(try store.files().map(\.file) == [file])
    }

    @Test func aFileIsAsOldAsItsPublication() throws {
        let draft = try store.create(in: home)
        try setModificationTime(of: try #require(try folder.drafts().first), to: 1_000_000_000_000)
        try draft.publish(as: file(of: []))
        #expect(try #require(try store.files().first).modifiedAt > 1_700_000_000_000)
    }

    @Test func aDraftThatItsProcessLeftIsAbandonedOnceItIsOlderThanTheCutoff() async throws {
        let handed = try SharedFolder("draft")
        defer { handed.remove() }
        await #expect(processExitsWith: .signal(SIGKILL)) {
            let store = try DiskAssetStore(folder: SharedFolder.path("draft", by: getppid()))
            let draft = try store.create(in: home)
            try draft.append([1])
            kill(getpid(), SIGKILL)
            draft.discard()
        }
        let store = try DiskAssetStore(folder: handed.path)
        let name = try #require(try FileManager.default.contentsOfDirectory(atPath: "\(handed.path)/.drafts").first)
        let time = try modificationTime(of: "\(handed.path)/.drafts/\(name)")
        #expect(try store.files() == [])
        #expect(try store.removeAbandoned(olderThan: time - 1) == 0)
        #expect(try store.removeAbandoned(olderThan: time) == 0)
        #expect(try store.removeAbandoned(olderThan: time + 2) == 1)
        #expect(try store.removeAbandoned(olderThan: .max) == 0)
        #expect(try FileManager.default.contentsOfDirectory(atPath: "\(handed.path)/.drafts") == [])
    }

    @Test func aDraftThatWasTakenForAbandonedIsMissingWhenItIsPublished() throws {
        let draft = try store.create(in: home)
        try draft.append([1])
        #expect(try store.removeAbandoned(olderThan: .max) == 1)
        #expect(throws: AssetError.missing) { try draft.publish(as: file(of: [1])) }
        #expect(try folder.files() == [])
    }

    @Test func writingToADraftKeepsItFromBeingAbandoned() throws {
        let draft = try store.create(in: home)
        try setModificationTime(of: try #require(try folder.drafts().first), to: 1_000_000_000_000)
        try draft.append([1])
        #expect(try store.removeAbandoned(olderThan: 1_700_000_000_000) == 0)
        try draft.publish(as: file(of: [1]))
        #expect(try store.verify(file(of: [1])) == .intact(size: 1))
    }

    @Test func abandoningTakesNoPublishedFileAndNothingForeign() throws {
        let file = try store.save([1])
        let foreign = ["notes.txt", "removed-", "removed-1", String(repeating: "0", count: 31)]
        for name in foreign { try writeFile("\(folder.path)/.drafts/\(name)", []) }
        for name in [String(repeating: "0", count: 32), "lost"] {
            try FileManager.default.createDirectory(
                atPath: "\(folder.path)/.drafts/\(name)", withIntermediateDirectories: false)
        }
        #expect(try store.removeAbandoned(olderThan: .max) == 0)
        #expect(try folder.drafts().count == foreign.count)
        #expect(try store.content(of: file) == [1])
    }
}
