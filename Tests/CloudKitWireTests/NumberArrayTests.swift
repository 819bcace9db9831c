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
            } + (seed == 1 ? Self.edges : [])
        var json = JSONWriter()
        json.int64s(numbers)
        #expect(String(decoding: json.bytes, as: UTF8.self) == "[\(numbers.map { "\($0)" }.joined(separator: ","))]")
        for number in numbers {
            var json = JSONWriter()
            json.int64(number)
            #expect(String(decoding: json.bytes, as: UTF8.self) == "\(number)")
        }
    }

    /// Around each power of ten, where the number of digits and of groups of digits changes.
    private static let edges: [Int64] = {
        var (edges, power): ([Int64], Int64) = ([.min, .max, 0, -1], 1)
        while true {
            edges += [power - 1, power, power + 1, -power]
            let (next, isTooLarge) = power.multipliedReportingOverflow(by: 10)
            if isTooLarge { return edges }
            power = next
        }
    }()
}
