import AssetTesting
import NephosAssets
import NephosStorage
import NephosTesting
import Synchronization
import Testing

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// What a power failure would lose: contents and names that were not synchronized since they were written.
private final class Unsaved: Sendable {
    private struct State {
        var contents: Set<String> = []
        /// Paths of files and folders whose names are not on the disk.
        var names: Set<String> = []
        var linkedTooSoon: [String] = []
    }

    private let state = Mutex(State())

    func note(_ call: HookedCalls.Call, _ moment: HookedCalls.Moment) {
        state.withLock { state in
            switch (call.kind, moment) {
            case (.linkFile, .before):
                if state.contents.contains(call.source) { state.linkedTooSoon.append(call.path) }
            case (.linkFile, .after), (.createFolder, .after): state.names.insert(call.path)
            case (.createFile, .after):
                state.names.insert(call.path)
                state.contents.insert(call.path)
            case (.writeBytes, .after), (.touch, .after): state.contents.insert(call.path)
            case (.synchronize, .after):
                state.contents.remove(call.path)
                state.names = state.names.filter { Self.parent($0) != call.path }
            default: break
            }
        }
    }

    /// Names on the path to a file, including itself, that would be lost.
    func names(to path: String) -> [String] {
        state.withLock { state in state.names.filter { path == $0 || path.hasPrefix("\($0)/") }.sorted() }
    }

    var linkedTooSoon: [String] { state.withLock(\.linkedTooSoon) }

    private static func parent(_ path: String) -> String {
        String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
    }
}

@Suite("Power cut") struct PowerCutTests {
    private let folder: TemporaryFolder
    private let unsaved = Unsaved()

    init() throws { folder = try TemporaryFolder() }

    private func hooked(_ hook: @escaping HookedCalls.Hook = { _, _ in }) -> HookedCalls {
        let unsaved = unsaved
        return HookedCalls { call, moment throws(FileFault) in
            try hook(call, moment)
            unsaved.note(call, moment)
        }
    }

    @Test func whenAFileIsPublishedItsContentAndTheWholeWayToItAreOnTheDisk() throws {
        let store = try DiskAssetStore(folder: "\(folder.path)/new/assets", calls: hooked())
        for number in 0..<20 {
            let bytes = content(10, seed: UInt64(number))
            let file = try store.save(bytes)
            #expect(unsaved.linkedTooSoon == [])
            let path = try #require(try folder.files().first { $0.contains("\(file.address)") })
            #expect(unsaved.names(to: path) == [])
        }
    }

    @Test func foldersThatAnotherServerMadeAndDidNotWaitForAreWaitedFor() throws {
        for kept in 0..<4 {
            let folder = try TemporaryFolder()
            // It stops after creating its folders and synchronizing some of them.
            let waits = Mutex(0)
            let dying = hooked { call, moment throws(FileFault) in
                guard call.kind == .synchronize, moment == .before, !call.path.contains("/.drafts") else { return }
                let count = waits.withLock { count in
                    count += 1
                    return count
                }
                if count > kept { throw FileFault(code: EIO) }
            }
            _ = try DiskAssetStore(folder: folder.path, calls: hooked())
            #expect(throws: AssetError.self) { try DiskAssetStore(folder: folder.path, calls: dying).save([1]) }

            let other = try DiskAssetStore(folder: folder.path, calls: hooked())
            try other.save([1], nonce: 2)
            let path = try folder.onlyFile()
            #expect(unsaved.names(to: path) == [], "after \(kept) waits")
        }
    }

    @Test func aSecondFileInAFolderWaitsForNoMoreThanItselfAndTheFolder() throws {
        let waits = Mutex(0)
        let calls = hooked { call, moment throws(FileFault) in
            if call.kind == .synchronize, moment == .before { waits.withLock { $0 += 1 } }
        }
        let store = try DiskAssetStore(folder: folder.path, calls: calls)
        try store.save([1], nonce: 1)
        waits.withLock { $0 = 0 }
        try store.save([1], nonce: 2)
        #expect(waits.withLock(\.self) == 2)
    }

    @Test func aDraftThatTheDiskRefusedOnceIsNotPublishedByTryingAgain() throws {
        let failures = Mutex(1)
        let calls = hooked { call, moment throws(FileFault) in
            guard call.kind == .synchronize, moment == .before, call.path.contains("/.drafts/") else { return }
            let fails = failures.withLock { count in
                count -= 1
                return count >= 0
            }
            if fails { throw FileFault(code: EIO) }
        }
        let store = try DiskAssetStore(folder: folder.path, calls: calls)
        let draft = try store.create(in: home)
        try draft.append([1])
        #expect(throws: AssetError.self) { try draft.publish(as: file(of: [1])) }
        #expect(throws: AssetError.self) { try draft.publish(as: file(of: [1])) }
        #expect(try store.files() == [])
    }

    @Test func aLinkWhoseAnswerWasLostIsNoOtherFile() throws {
        let isLost = Mutex(true)
        let calls = HookedCalls { call, moment throws(FileFault) in
            guard call.kind == .linkFile, moment == .after else { return }
            let fails = isLost.withLock { isLost in
                defer { isLost = false }
                return isLost
            }
            // The error of a network file system's second attempt.
            if fails { throw FileFault(code: EEXIST) }
        }
        let store = try DiskAssetStore(folder: folder.path, calls: calls)
        let file = try store.save([1])
        #expect(try store.content(of: file) == [1])
        #expect(try folder.drafts() == [])
    }
}
