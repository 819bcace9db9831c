import AssetTesting
import Foundation
import NephosAssets
import NephosStorage
import NephosTesting
import Testing

@Suite("Removed homes") struct RemovedHomeTests {
    let folder: TemporaryFolder
    let store: DiskAssetStore
    private let gone = makeHome(of: "iCloud.gone")
    /// For the same container after it was created again.
    private let stays = makeHome(of: "iCloud.gone", incarnation: 8)

    init() throws {
        folder = try TemporaryFolder()
        store = try DiskAssetStore(folder: folder.path, calls: HookedCalls())
        for home in [stays, gone] {
            for number in UInt64(0)..<5 { try store.save(content(10, seed: number), home: home) }
        }
    }

    private func count(_ home: AssetHome) throws -> Int { try store.files(in: home).count }

    @Test func aHomeGoesAndOthersOfItsContainerStay() throws {
        try store.removeAll(in: gone)
        #expect((try count(gone), try count(stays)) == (0, 5))
        #expect(try folder.files().count == 5)
        #expect(try folder.drafts() == [])
        try store.removeAll(in: gone)
        try store.removeAll(in: makeHome(of: "iCloud.never"))
    }

    @Test func aHomeThatWasRemovedMayBeUsedAgain() throws {
        try store.removeAll(in: gone)
        let file = try store.save([1], home: gone)
        #expect(try store.content(of: file) == [1])
        #expect(try count(gone) == 1)
    }

    @Test func whatIsInAHomesFolderGoesWhoeverPutItThereAndLinksAreNotFollowed() throws {
        let outside = try TemporaryFolder()
        try writeFile("\(outside.path)/precious", [1])
        let path = "\(folder.path)/iCloud.gone/development-0000000000000007"
        try writeFile("\(path)/notes.txt", [1])
        try FileManager.default.createSymbolicLink(atPath: "\(path)/link", withDestinationPath: outside.path)
        try store.removeAll(in: gone)
        #expect(try readFile("\(outside.path)/precious") == [1])
        #expect(try folder.files().count == 5)
    }

    @Test(arguments: FaultWalk.Fault.all)
    func whereverARemovalFailsNothingOfItIsFoundHalfAndTheRestGoesLater(_ fault: FaultWalk.Fault) throws {
        var (number, isOver) = (0, false)
        while !isOver {
            number += 1
            try #require(number < 1_000)
            let walk = FaultWalk(at: number, fault)
            let broken = try DiskAssetStore(folder: folder.path, calls: walk.calls)
            walk.begin()
            do throws(AssetError) { try broken.removeAll(in: gone) } catch { #expect(walk.isBroken, "\(error)") }
            isOver = walk.isOver
            let left = try count(gone)
            #expect(left == 5 || left == 0, "\(left) files left after call \(number)")
            _ = try store.removeAbandoned(olderThan: .min)
            try store.removeAll(in: gone)
            #expect(try folder.files().count == 5, "call \(number)")
            #expect(walk.calls.openFiles == [])
            for number in UInt64(0)..<5 { try store.save(content(10, seed: number), home: gone) }
        }
        #expect(number > 20, "there are more calls than that")
    }
}
