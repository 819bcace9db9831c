import CloudKitWire
import NephosTesting
import Testing

/// docs/protocol.md, "JSON".
@Suite struct NumberArrayTests {
    @Test("An array of numbers is written like its numbers one by one", arguments: 1...40 as ClosedRange<UInt64>)
    func same(seed: UInt64) {
        var chance = SeededGenerator(seed: seed)
        let numbers =
            (0..<Int.random(in: 0...900, using: &chance)).map { _ in
                seed % 5 == 0
                    ? 0 : Int64.random(in: .min ... .max, using: &chance) >> Int64.random(in: 0...63, using: &chance)
            } + (seed == 1 ? [.min, .max, 0, -1, 9, 10, 99, 100, 1_000_000_000_000_000_000] : [])
        var json = JSONWriter()
        json.int64s(numbers)
        #expect(String(decoding: json.bytes, as: UTF8.self) == "[\(numbers.map { "\($0)" }.joined(separator: ","))]")
    }
}
