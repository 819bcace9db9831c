import AssetTesting
import Foundation
import NephosAssets
import NephosStorage
import NephosTesting
import Testing

@Suite("Listing") struct ListingTests {
    let folder: TemporaryFolder
    let store: DiskAssetStore

    init() throws {
        folder = try TemporaryFolder()
        store = try DiskAssetStore(folder: folder.path, calls: HookedCalls())
    }

    private func save(_ count: Int) throws -> Set<AssetFile> {
        Set(try (0..<count).map { try store.save(content($0 + 1, seed: UInt64($0))) })
    }

    @Test func everyFileIsShownOnceWithItsSizeAndTime() throws {
        let files = try save(50)
        let path = try #require(try folder.files().first)
        try setModificationTime(of: path, to: 1_000_000_000_123)
        let found = try store.files()
        #expect(found.count == 50)
        #expect(Set(found.map(\.file)) == files)
        #expect(found.map(\.size).sorted() == Array(1...50))
        #expect(found.count { $0.modifiedAt == 1_000_000_000_123 } == 1)
    }

    @Test func onlyTheFilesOfTheHomeAreShown() throws {
        let files = try save(1)
        let production = makeHome(of: home.tenant.container, .production)
        let other = makeHome(of: "iCloud.other")
        let later = makeHome(of: home.tenant.container, incarnation: 8)
        let file = try store.save([7], home: production)
        for elsewhere in [other, later] { try store.save([7], home: elsewhere) }
        #expect(Set(try store.files().map(\.file)) == files)
        #expect(try store.files(in: production).map(\.file) == [file])
        #expect(try store.files(in: makeHome(of: "iCloud.none")) == [])
    }

    @Test func whatTheStoreHasNotNamedItselfIsPassedOver() throws {
        let file = try store.save([1])
        let path = try folder.onlyFile()
        let part = String(path[..<(path.lastIndex(of: "/") ?? path.endIndex)])
        let homeFolder = String(part.dropLast(3))
        let digits = file.address.description.dropFirst(2)
        for name in [
            "notes.txt", "-", ".nfs0001", "\(file.address)", "\(file.address)-1",
            "\(file.address)-0000000000000001-000000000000000g", "\(file.address)-0000000000000001-000000000000000A",
            "\(file.address)-0000000000000001-0000000000000001-",
            "\(file.address)-0000000000000001-0000000000000001.bak",
            "\(file.address)-0000000000000001",
        ] { try writeFile("\(part)/\(name)", [1]) }
        // In the wrong part; a folder and a link with the name of a file; a file with the name of a part.
        try writeFile("\(part)/\(part.hasSuffix("00") ? "01" : "00")\(digits)-0000000000000001-0000000000000001", [1])
        try FileManager.default.createDirectory(
            atPath: "\(part)/\(file.address)-0000000000000001-0000000000000002", withIntermediateDirectories: false)
        try FileManager.default.createSymbolicLink(
            atPath: "\(part)/\(file.address)-0000000000000001-0000000000000003", withDestinationPath: path)
        try writeFile("\(homeFolder)/\(part.hasSuffix("00") ? "01" : "00")", [])
        #expect(try store.files().map(\.file) == [file])
        let link = AssetFile(home: home, database: 1, address: file.address, nonce: 3)
        #expect(throws: AssetError.self) { try store.open(link) }
        let inner = AssetFile(home: home, database: 1, address: file.address, nonce: 2)
        #expect(throws: AssetError.self) { try store.open(inner) }
    }

    @Test func aFileThatVanishesMeanwhileIsNotShown() throws {
        var left = try save(300)
        var shown: Set<AssetFile> = []
        try store.files(in: home) { stored in
            #expect(left.contains(stored.file), "removed before it was shown")
            #expect(shown.insert(stored.file).inserted, "shown twice")
            // The listed one, and any other.
            for file in [stored.file] + left.prefix(1) {
                try store.remove(file)
                left.remove(file)
            }
        }
        #expect(left == [])
        #expect(shown.count >= 150)
        #expect(try store.files() == [])
    }

    @Test func aFileThatVanishesBeforeItsSizeIsKnownIsNotShown() throws {
        let files = try save(20)
        let calls = HookedCalls { call, moment throws(FileFault) in
            guard moment == .before, call.kind == .status, call.path.contains("-0000000000000001") else { return }
            try SystemCalls().removeFile(call.path)
        }
        #expect(files.count == 20)
        #expect(try DiskAssetStore(folder: folder.path, calls: calls).files() == [])
    }

    @Test func filesStayWhereTheyAreWhileOthersComeAndGo() async throws {
        let staying = try save(100)
        let path = folder.path
        let churn = Task {
            let store = try DiskAssetStore(folder: path, calls: HookedCalls())
            var count = 0
            while !Task.isCancelled {
                let file = try store.save(content(10, seed: 1_000 + UInt64(count)), nonce: 2)
                try store.remove(file)
                count += 1
                // Tasks share two threads on two processors, and one of them must end this.
                await Task.yield()
            }
            return count
        }
        for _ in 0..<20 {
            let found = try store.files().map(\.file)
            #expect(Set(found).count == found.count)
            #expect(staying.isSubset(of: found))
            await Task.yield()
        }
        churn.cancel()
        #expect(try await churn.value >= 0)
        #expect(Set(try store.files().map(\.file)) == staying)
    }

    @Test func whatTheBodyThrowsEndsTheListing() throws {
        struct Enough: Error {}
        _ = try save(10)
        var count = 0
        #expect(throws: Enough.self) {
            try store.files(in: home) { _ in
                count += 1
                if count == 3 { throw Enough() }
            }
        }
        #expect(count == 3)
    }
}
