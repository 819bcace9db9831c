import NephosStorage
import NephosTesting
import Testing

/// docs/decisions/0030: data of features in the head of a database.
@Suite("The annex of a head") struct HeadAnnexTests {
    private static func annex(_ kept: [String: [UInt8]]) -> HeadAnnex {
        var annex = HeadAnnex()
        for (feature, bytes) in kept {
            let isTaken = annex.set(bytes, of: feature)
            #expect(isTaken)
        }
        return annex
    }

    private func reread(_ stored: [UInt8]) throws -> HeadAnnex {
        try stored.withUnsafeBytes { raw throws(StorageError) in try HeadAnnex(stored: raw) }
    }

    @Test("keeps the latest value of each feature, in any order, and is restored from what is stored")
    func model() throws {
        let features = ["", "a", "ab", "b", "trends", "\u{E9}", "e\u{301}", String(repeating: "n", count: 255)]
        for seed in UInt64(1)...60 {
            var chance = SeededGenerator(seed: seed)
            var (annex, model) = (HeadAnnex(), [[UInt8]: [UInt8]]())
            for _ in 0..<80 {
                let feature = try #require((features + [features[7] + "n"]).randomElement(using: &chance))
                let count = try #require([0, 0, 1, 3, 255, 256, 1_024, 1_025].randomElement(using: &chance))
                let bytes = (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &chance) }
                let fits = count <= HeadAnnex.bytesMax && 1...255 ~= feature.utf8.count
                if fits { model[Array(feature.utf8)] = bytes.isEmpty ? nil : bytes }
                let isTaken = annex.set(bytes, of: feature)
                #expect(isTaken == fits, "seed \(seed)")
                for feature in features {
                    #expect(annex[feature] == model[Array(feature.utf8)] ?? [], "seed \(seed), \(feature)")
                }
                #expect(annex.isEmpty == model.isEmpty && annex.isEmpty == annex.stored.isEmpty, "seed \(seed)")
                #expect(try reread(annex.stored) == annex, "seed \(seed)")
            }
            let again = model.sorted { $0.value.count < $1.value.count }
                .reduce(into: HeadAnnex()) { _ = $0.set($1.value, of: String(decoding: $1.key, as: UTF8.self)) }
            #expect(again.stored == annex.stored, "seed \(seed): another order is stored otherwise")
        }
    }

    @Test("has this stored form, which later servers must read the same")
    func form() {
        let stored = Self.annex(["b": [7], "a": Array(repeating: 9, count: 258)]).stored
        #expect(stored == [1, 97, 2, 1] + Array(repeating: 9, count: 258) + [1, 98, 1, 0, 7])
    }

    @Test("that is incomplete, unordered or has extra bytes cannot be read")
    func malformed() throws {
        let stored = Self.annex(["a": [1, 2], "trends": [3]]).stored
        for count in 1..<stored.count where count != 6 {
            #expect(throws: StorageError.self, "the first \(count) bytes") { try reread(Array(stored.prefix(count))) }
        }
        let swapped = Array(stored.dropFirst(6) + stored.prefix(6))
        let double = Array(stored.prefix(6) + stored.prefix(6))
        for bytes in [swapped, double, stored + [0], [0, 1, 0, 7], [1, 97, 0, 0], [1, 97, 1, 4] + stored] {
            #expect(throws: StorageError.self, "\(bytes)") { try reread(bytes) }
        }
        let tooLong = [1, 97, 1, 4] + Array(repeating: UInt8(1), count: 1_025)
        #expect(throws: StorageError.self) { try reread(tooLong) }
        #expect(try reread([]) == HeadAnnex())
    }

    @Test("is part of its head's checksum if present, and leaves other checksums unchanged")
    func checksum() {
        var head = HeadRow(database: 1, kind: .publicLane, owner: nil)
        let before = head.checksum
        head.annex = Self.annex(["a": [1]])
        let first = head.checksum
        head.annex = Self.annex(["a": [2]])
        #expect(Set([before, first, head.checksum]).count == 3)
        let isTaken = head.annex.set([], of: "a")
        #expect(isTaken && head.checksum == before)
    }
}
