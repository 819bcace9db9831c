import Foundation
import NephosAssets
import NephosStorage
import NephosTesting
import Testing

#if os(Linux)
    @Suite("Memory") struct MemoryTests {
        @Test func sixtyFourMegabytesAreStoredReadAndVerifiedInBoundedMemory() async throws {
            let handed = try SharedFolder("large")
            defer { handed.remove() }
            await #expect(processExitsWith: .success) {
                let count = 1_024
                let store = try DiskAssetStore(folder: SharedFolder.path("large", by: getppid()))
                let before = try ProcessUsage(of: getpid()).residentBytesMax
                var hasher = AssetHasher(key: key, database: 1)
                let draft = try store.create(in: home)
                for number in 0..<count {
                    let piece = MemoryTests.piece(number)
                    hasher.update(piece)
                    try draft.append(piece)
                }
                let size = Int64(count * pieceBytes)
                #expect(draft.size == size)
                let file = AssetFile(home: home, database: 1, address: hasher.finalize(), nonce: 1)
                try draft.publish(as: file)

                let open = try store.open(file)
                #expect(open.size == size)
                for number in 0..<count {
                    let offset = Int64(number * pieceBytes)
                    try #require(try open.read(at: offset, count: pieceBytes) == MemoryTests.piece(number))
                }
                #expect(try store.verify(file) == .intact(size: size))
                let growth = try ProcessUsage(of: getpid()).residentBytesMax - before
                #expect(growth < 16 << 20, "\(growth) bytes more")
            }
        }

        /// Distinct pieces that are fast to create.
        fileprivate static func piece(_ number: Int) -> [UInt8] {
            [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: pieceBytes - 1) + [UInt8(number >> 8)]
        }
    }
#endif
