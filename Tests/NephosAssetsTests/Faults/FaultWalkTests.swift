import AssetTesting
import NephosAssets
import NephosStorage
import NephosTesting
import Testing

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Every call for storing a file fails once, with or without having been executed.
@Suite("Fault walk") struct FaultWalkTests {
    private let bytes = content(3 * pieceBytes)

    @Test(arguments: FaultWalk.Fault.all)
    func whereverStoringFailsTheFileIsWholeAndPublishedOrThereIsNothingButADraft(_ fault: FaultWalk.Fault) throws {
        var (number, isOver) = (0, false)
        while !isOver {
            number += 1
            try #require(number < 1_000)
            let folder = try TemporaryFolder()
            let walk = FaultWalk(at: number, fault)
            walk.begin()
            let error = storing(in: folder, walk)
            isOver = walk.isOver
            let name = "call \(number), \(String(describing: walk.broken))"
            #expect(walk.calls.openFiles == [], "\(name)")
            if fault.code == ENOSPC, let error { #expect(error == .full, "\(name)") }

            let store = try DiskAssetStore(folder: folder.path, calls: HookedCalls())
            let found = try store.files().map(\.file)
            #expect(found == [file(of: bytes)] || found == [] && error != nil, "\(name)")
            // A surviving server that knows that a call was not executed undoes what it can.
            if error != nil, !fault.isFatal, fault.moment == .before { #expect(found == [], "\(name)") }
            for file in found { #expect(try store.verify(file) == .intact(size: Int64(bytes.count)), "\(name)") }
            let drafts = try folder.drafts().count
            // A surviving server removes its draft, unless that call failed, or it was told that there is none.
            let mayStay = fault.isFatal || walk.broken?.kind == .removeFile || walk.broken?.kind == .createFile
            #expect(drafts == 0 || drafts == 1 && mayStay, "\(name)")

            // Another server continues: a file with a new nonce is stored, and nothing of the old draft is left.
            #expect(try store.removeAbandoned(olderThan: .max) == drafts, "\(name)")
            let again = try store.save(bytes, nonce: 2)
            #expect(Set(try store.files().map(\.file)) == Set(found + [again]), "\(name)")
            #expect(try store.verify(again) == .intact(size: Int64(bytes.count)), "\(name)")
            #expect(try folder.files().count == found.count + 1, "\(name)")
        }
        #expect(number > 20, "there are more calls than that")
    }

    /// Stores the content like a server, which discards failed drafts.
    private func storing(in folder: TemporaryFolder, _ walk: FaultWalk) -> AssetError? {
        do {
            try DiskAssetStore(folder: folder.path, calls: walk.calls).save(bytes)
            return nil
        } catch {
            return error as? AssetError ?? .failed("\(error)")
        }
    }

    @Test(arguments: FaultWalk.Fault.all)
    func whereverAbandoningFailsNoFileGoesAndTheRestGoesLater(_ fault: FaultWalk.Fault) throws {
        var (number, isOver) = (0, false)
        while !isOver {
            number += 1
            try #require(number < 1_000)
            let folder = try TemporaryFolder()
            let store = try DiskAssetStore(folder: folder.path, calls: HookedCalls())
            let file = try store.save(bytes)
            let drafts = try (0..<3).map { _ in try store.create(in: home) }
            let walk = FaultWalk(at: number, fault)
            let broken = try DiskAssetStore(folder: folder.path, calls: walk.calls)
            walk.begin()
            do throws(AssetError) { _ = try broken.removeAbandoned(olderThan: .max) } catch {
                #expect(walk.isBroken, "\(error)")
            }
            isOver = walk.isOver
            _ = try store.removeAbandoned(olderThan: .max)
            #expect(try folder.drafts() == [])
            #expect(try store.verify(file) == .intact(size: Int64(bytes.count)))
            for draft in drafts { draft.discard() }
        }
        #expect(number > 6, "there are more calls than that")
    }
}
