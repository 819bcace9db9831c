import AssetTesting
import Foundation
import NephosAssets
import NephosStorage
import NephosTesting
import Testing

@Suite("Verification") struct VerificationTests {
    static let count = 600_000
    private let folder: TemporaryFolder
    private let store: DiskAssetStore
    private let file: AssetFile
    private let bytes = content(VerificationTests.count)

    init() throws {
        folder = try TemporaryFolder()
        store = try DiskAssetStore(folder: folder.path)
        file = try store.save(bytes)
    }

    private func replace(_ change: (inout [UInt8]) -> Void) throws {
        var changed = bytes
        change(&changed)
        try writeFile(try folder.onlyFile(), changed)
    }

    @Test func anUntouchedFileIsIntactAndEveryByteOfItIsReported() throws {
        var total = 0
        let verdict = try store.verify(file, key: key) { total += $0 }
        #expect(verdict == .intact(size: Int64(Self.count)))
        #expect(total == Self.count)
    }

    @Test func anEmptyFileIsIntact() throws {
        #expect(try store.verify(try store.save([])) == .intact(size: 0))
    }

    @Test(arguments: [0, 1, 262_143, 262_144, 300_000, VerificationTests.count - 1])
    func aFlippedBitAnywhereIsFound(offset: Int) throws {
        try replace { $0[offset] ^= 1 << UInt8(offset % 8) }
        #expect(try store.verify(file) == .altered(size: Int64(Self.count)))
    }

    @Test(arguments: [0, 1, 262_144, VerificationTests.count - 1])
    func aTruncatedFileIsFound(count: Int) throws {
        try replace { $0.removeLast($0.count - count) }
        #expect(try store.verify(file) == .altered(size: Int64(count)))
        #expect(try store.open(file).size == Int64(count))
        #expect(try store.files().map(\.size) == [Int64(count)])
    }

    @Test func aFileWithMoreThanWasWrittenIsFound() throws {
        try replace { $0.append(0) }
        #expect(try store.verify(file) == .altered(size: Int64(Self.count) + 1))
    }

    @Test func aFileOfAnotherTenantIsFound() throws {
        #expect(try store.verify(file, key: [1]) == .altered(size: Int64(Self.count)))
    }

    @Test func aFileIsOfOneDatabaseAlone() throws {
        let other = AssetFile(home: file.home, database: 2, address: file.address, nonce: file.nonce)
        #expect(try store.verify(other, key: key) == .missing)
    }

    @Test func aFileThatIsGoneIsMissing() throws {
        try store.remove(file)
        #expect(try store.verify(file) == .missing)
    }

    @Test func aFileThatCannotBeReadIsNoVerdictButAnError() throws {
        let calls = HookedCalls { call, moment throws(FileFault) in
            if moment == .before, call.kind == .readBytes { throw FileFault(code: EIO) }
        }
        let error = #expect(throws: AssetError.self) {
            try DiskAssetStore(folder: folder.path, calls: calls).verify(file)
        }
        guard case .failed(let words) = error else { return #expect(Bool(false), "\(String(describing: error))") }
        #expect(words.contains(file.address.description))
        #expect(calls.openFiles == [])
    }

    @Test func aFileThatAnotherMachineRemovesWhileItIsReadIsMissing() throws {
        let calls = HookedCalls { call, moment throws(FileFault) in
            if moment == .before, call.kind == .readBytes { throw FileFault(code: ESTALE) }
        }
        #expect(try DiskAssetStore(folder: folder.path, calls: calls).verify(file) == .missing)
    }
}
