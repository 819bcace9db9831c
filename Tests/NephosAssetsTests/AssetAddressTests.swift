import NephosAssets
import Testing

@Suite("Addresses") struct AssetAddressTests {
    struct Known: Sendable {
        var database: Int64
        var text: String
        var address: String
    }

    // Python: hmac.new(bytes(range(32)), database.to_bytes(8, "big", signed=True) + text, hashlib.sha256).hexdigest()
    static let known = [
        Known(
            database: 1, text: "hello",
            address: "8419454c1ab3cea7df95bd50d84e8121c391a564a365cd7c9015e79de17d9ed5"),
        Known(
            database: 2, text: "hello",
            address: "15d20e6f50f964ba7da25e6302ebf6d2fbea3e273df7b2e72681ff24a7988dee"),
        Known(
            database: 1, text: "",
            address: "c432e059c378eef7fe2f1181a4050836f51e0856fd74937be81784fa0efa7a1c"),
        Known(
            database: -1, text: "hello",
            address: "0859d1b1a6580adaffd4b77c2ea68856710141a1f5d535eb9210223924c3c85f"),
    ]

    @Test(arguments: known)
    func anAddressIsTheCodeThatOtherProgramsCompute(known: Known) {
        #expect(address(of: Array(known.text.utf8), database: known.database).description == known.address)
    }

    @Test func equalContentsOfADatabaseHaveOneAddressHoweverTheyAreCut() {
        let bytes = content(10_000)
        for size in [1, 7, 64, 4_096, 10_000] {
            var hasher = AssetHasher(key: key, database: 1)
            for start in stride(from: 0, to: bytes.count, by: size) {
                hasher.update(Array(bytes[start..<min(start + size, bytes.count)]))
            }
            #expect(hasher.finalize() == address(of: bytes), "in pieces of \(size)")
        }
    }

    @Test func anotherContentDatabaseOrKeyHasAnotherAddress() {
        let bytes = content(100)
        var otherKey = key
        otherKey[31] ^= 1
        let addresses: Set = [
            address(of: bytes), address(of: bytes + [0]), address(of: bytes, database: 2),
            address(of: bytes, key: otherKey), address(of: []),
        ]
        #expect(addresses.count == 5)
    }

    @Test func aDatabaseNumberAtTheBeginningOfAContentMakesNoAddressOfAnotherDatabase() {
        let number: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 1]
        #expect(address(of: number + content(9), database: 1) != address(of: content(9), database: 1))
    }

    @Test func aHasherGoesOnAfterItWasAsked() {
        var hasher = AssetHasher(key: key, database: 1)
        hasher.update([1, 2])
        #expect(hasher.finalize() == address(of: [1, 2]))
        hasher.update([3])
        #expect(hasher.finalize() == address(of: [1, 2, 3]))
    }

    @Test func aCopyOfAHasherLeavesTheOtherAlone() {
        var hasher = AssetHasher(key: key, database: 1)
        hasher.update([1])
        var copy = hasher
        copy.update([2])
        #expect(hasher.finalize() == address(of: [1]))
        #expect(copy.finalize() == address(of: [1, 2]))
    }

    @Test func anAddressIsReadBackFromItsTextAndItsBytes() throws {
        let address = address(of: content(3))
        #expect(AssetAddress(hexadecimal: address.description) == address)
        #expect(AssetAddress(bytes: address.bytes) == address)
        #expect(address.bytes.count == AssetAddress.byteCount)
    }

    @Test(arguments: [
        "", "00", String(repeating: "0", count: 63), String(repeating: "0", count: 66),
        String(repeating: "A", count: 64), String(repeating: "g", count: 64), String(repeating: "é", count: 32),
    ])
    func whatIsNotSixtyFourDigitsInLowerCaseIsNoAddress(text: String) {
        #expect(AssetAddress(hexadecimal: text) == nil)
    }

    @Test(arguments: [0, 31, 33]) func whatHasNot32BytesIsNoAddress(count: Int) {
        #expect(AssetAddress(bytes: content(count)) == nil)
    }
}
