import Foundation
import NephosAssets
import NephosStorage
import NephosTesting
import Testing

@Suite("Removed containers") struct RemovedContainerTests {
    let folder: TemporaryFolder
    let store: DiskAssetStore
    private let gone = "iCloud.gone"
    private let stays = "iCloud.stays"

    init() throws {
        folder = try TemporaryFolder()
        store = try DiskAssetStore(folder: folder.path, calls: HookedCalls())
        for id in [stays, gone] {
            for environment in Environment.allCases {
                for number in UInt64(0)..<5 {
                    try store.save(content(10, seed: number), tenant: Tenant(container: id, environment: environment))
                }
            }
        }
    }

    private func count(_ id: String) throws -> Int {
        try Environment.allCases.map { try store.files(of: Tenant(container: id, environment: $0)).count }
            .reduce(0, +)
    }

    @Test func aContainerGoesWithBothEnvironmentsAndOthersStay() throws {
        #expect(try store.containers() == [gone, stays])
        try store.removeAll(of: gone)
        #expect(try store.containers() == [stays])
        #expect((try count(gone), try count(stays)) == (0, 10))
        #expect(try folder.files().count == 10)
        #expect(try folder.drafts() == [])
        try store.removeAll(of: gone)
        try store.removeAll(of: "iCloud.never")
    }

    @Test func aContainerOfTheSameIdBeginsEmptyAndKeepsItsOwn() throws {
        try store.removeAll(of: gone)
        let file = try store.save([1], tenant: Tenant(container: gone, environment: .development))
        #expect(try store.content(of: file) == [1])
        #expect(try count(gone) == 1)
    }

    @Test func whatIsInAContainersFolderGoesWhoeverPutItThereAndLinksAreNotFollowed() throws {
        let outside = try TemporaryFolder()
        try writeFile("\(outside.path)/precious", [1])
        try writeFile("\(folder.path)/\(gone)/notes.txt", [1])
        try FileManager.default.createSymbolicLink(
            atPath: "\(folder.path)/\(gone)/link", withDestinationPath: outside.path)
        try FileManager.default.createSymbolicLink(
            atPath: "\(folder.path)/iCloud.link", withDestinationPath: outside.path)
        try store.removeAll(of: gone)
        try store.removeAll(of: "iCloud.link")
        #expect(try store.containers() == [stays])
        #expect(try readFile("\(outside.path)/precious") == [1])
        #expect(try folder.files().count == 10)
    }

    @Test func whatIsNoFolderOfAContainerIsNotShown() throws {
        try writeFile("\(folder.path)/file", [])
        try FileManager.default.createSymbolicLink(
            atPath: "\(folder.path)/link", withDestinationPath: "\(folder.path)/\(gone)")
        for name in ["lost+found", ".snapshot"] {
            try FileManager.default.createDirectory(
                atPath: "\(folder.path)/\(name)", withIntermediateDirectories: false)
        }
        #expect(try store.containers() == [gone, stays])
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
            do throws(AssetError) { try broken.removeAll(of: gone) } catch { #expect(walk.isBroken, "\(error)") }
            isOver = walk.isOver
            let left = try count(gone)
            #expect(left == 10 || left == 0, "\(left) files left after call \(number)")
            #expect(try store.containers() == (left == 0 ? [stays] : [gone, stays]))
            _ = try store.removeAbandoned(olderThan: .min)
            try store.removeAll(of: gone)
            #expect(try folder.files().count == 10, "call \(number)")
            #expect(walk.calls.openFiles == [])
            for environment in Environment.allCases {
                for number in UInt64(0)..<5 {
                    try store.save(content(10, seed: number), tenant: Tenant(container: gone, environment: environment))
                }
            }
        }
        #expect(number > 20, "there are more calls than that")
    }
}
