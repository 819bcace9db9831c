import AssetTesting
import Foundation
import NephosAssets
import NephosStorage
import NephosTesting
import Testing

@Suite("Full disk") struct FullDiskTests {
    @Test func theSystemTakesAPartOfAWriteAndRefusesTheRestAndTheDraftIsNeverPublished() async throws {
        let handed = try SharedFolder("full")
        defer { handed.remove() }
        await #expect(processExitsWith: .success) {
            let path = SharedFolder.path("full", by: getppid())
            signal(SIGXFSZ, SIG_IGN)
            var limit = rlimit(rlim_cur: 1 << 20, rlim_max: 1 << 20)
            #if canImport(Glibc)
                let resource = __rlimit_resource_t(RLIMIT_FSIZE.rawValue)
            #else
                let resource = RLIMIT_FSIZE
            #endif
            try #require(setrlimit(resource, &limit) == 0)
            let store = try DiskAssetStore(folder: path)
            let draft = try store.create(in: home)
            try draft.append(content(1_000_000))
            #expect(throws: AssetError.full) { try draft.append(content(1_000_000)) }
            #expect(draft.size == 1 << 20)
            // Data that fits would now be written after a gap.
            #expect(throws: AssetError.self) { try draft.append([]) }
            #expect(throws: AssetError.self) { try draft.publish(as: file(of: [])) }
            draft.discard()
            #expect(try store.files() == [])
            #expect(try store.removeAbandoned(olderThan: .max) == 0)
            let small = try store.save(content(1 << 20))
            #expect(try store.verify(small) == .intact(size: 1 << 20))
        }
    }

    @Test(arguments: [ENOSPC, EDQUOT, EFBIG])
    func whateverTheSystemCallsAFullDiskItIsFull(code: Int32) throws {
        let folder = try TemporaryFolder()
        let calls = HookedCalls { call, moment throws(FileFault) in
            if moment == .before, call.kind == .writeBytes { throw FileFault(code: code) }
        }
        #expect(throws: AssetError.full) { try DiskAssetStore(folder: folder.path, calls: calls).save([1]) }
        #expect(try folder.files() == [])
    }

    @Test(arguments: [1, 1_000]) func writesAndReadsOfAPartAreGoneOnWith(bytesAtMost: Int) throws {
        let folder = try TemporaryFolder()
        let store = try DiskAssetStore(folder: folder.path, calls: HookedCalls(bytesAtMost: bytesAtMost))
        let bytes = content(10_001)
        #expect(try store.content(of: try store.save(bytes)) == bytes)
    }
}
