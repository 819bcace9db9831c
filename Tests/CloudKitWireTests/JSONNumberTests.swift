import CloudKitWire
import NephosTesting
import Testing

/// docs/protocol.md, "JSON", J4 and J12.
@Suite struct JSONNumberTests {
    private func int64(_ json: String) -> Int64? {
        guard var reader = try? JSONReader(json.body) else { return nil }
        return try? reader.readInt64()
    }

    private func double(_ json: String) -> Double? {
        guard var reader = try? JSONReader(json.body) else { return nil }
        return try? reader.readDouble()
    }

    @Test(
        "J4: integers are exact in every spelling",
        arguments: [
            ("9223372036854775807", Int64.max), ("-9223372036854775808", .min),
            ("9007199254740993", 9_007_199_254_740_993),
            ("9007199254740993.0", 9_007_199_254_740_993), ("9007199254740993000e-3", 9_007_199_254_740_993),
            ("922337203685477580700000e-5", .max), ("1e18", 1_000_000_000_000_000_000), ("-0", 0), ("-0.0e7", 0),
            ("0e99999", 0),
            ("1.00000000000000000000000000000000000", 1), ("100e-2", 1), ("0.00012e5", 12),
            ("10000000000000000000000000000e-28", 1), ("-9223372036854775808.0", .min),
        ]) func wholeNumbers(json: String, value: Int64)
    { #expect(int64(json) == value) }

    @Test(
        "J4: fractions and integers beyond 64 bits are rejected",
        arguments: [
            "9223372036854775808", "-9223372036854775809", "18446744073709551616", "92233720368547758070", "1e19",
            "1e400",
            "1.5", "1e-1", "0.1", "9007199254740993.1", "1.000000000000000000000000000000000001", "1e-99999",
            "9223372036854775807.0000000000000000000001", "\"7\"", "true", "null",
        ]) func noWholeNumbers(json: String)
    { #expect(int64(json) == nil) }

    private func milliseconds(_ json: String) -> Int64? {
        guard var reader = try? JSONReader(json.body) else { return nil }
        return try? reader.readMilliseconds()
    }

    @Test(
        "F5: a time has whole milliseconds, and a fraction is dropped, however it is written",
        arguments: [
            ("1735689600123", 1_735_689_600_123), ("1735689600123.987", 1_735_689_600_123),
            ("1.735689600123987e12", 1_735_689_600_123), ("1735689600123987.0e-3", 1_735_689_600_123),
            ("1735689600123.99999999999999999999999999", 1_735_689_600_123), ("-1.5", -1), ("-0.5", 0), ("0.9", 0),
            ("1e-99999", 0), ("100.50", 100), ("0.0012345e4", 12), ("9223372036854775807.9", .max),
            ("-9223372036854775808.9", .min), ("3e2", 300),
        ] as [(String, Int64)])
    func times(json: String, value: Int64) { #expect(milliseconds(json) == value) }

    @Test(
        "F5: a time beyond 64 bits is rejected",
        arguments: ["9223372036854775808.5", "-9223372036854775809.1", "1e19", "1e400", "1.5e300", "true", "\"1\""])
    func noTimes(json: String) { #expect(milliseconds(json) == nil) }

    @Test(
        "J4: a double is the nearest one",
        arguments: [
            ("0.1", 0.1), ("1e22", 1e22), ("1e23", 1e23), ("9007199254740993", 9_007_199_254_740_992),
            ("9007199254740995", 9_007_199_254_740_996), ("4.9e-324", .leastNonzeroMagnitude),
            ("2.4703282292062327208e-324", 0),
            ("2.4703282292062328e-324", .leastNonzeroMagnitude), ("1.7976931348623157e308", .greatestFiniteMagnitude),
            ("1e-400", 0),
            ("8.988465674311579538646525953945123668e307", 8.98846567431158e307),
            ("123456789012345678901234567890", 1.2345678901234568e29),
            ("0.000000000000000000000000000000000000000000001e45", 1), ("-2.5", -2.5),
        ]) func doubles(json: String, value: Double)
    { #expect(double(json) == value) }

    @Test(
        "J4: numbers beyond the range of a double are rejected",
        arguments: ["1e400", "-1e309", "1.8e308", "17976931348623159e292"])
    func beyondDoubles(json: String) { #expect(double(json) == nil) }

    @Test("J4: minus zero stays minus zero") func minusZero() {
        #expect(double("-0.0")?.sign == .minus && double("-0")?.sign == .minus)
    }

    @Test("J4, J12: random doubles survive a round trip", arguments: seeds)
    func roundTrip(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<4000 {
            let bits = random.next()
            let value = Double(bitPattern: bits)
            guard value.isFinite else { continue }
            #expect(double(written { $0.double(value) })?.bitPattern == bits)
            let digits = "\(Int64(truncatingIfNeeded: bits) >> 9)e\(Int(bits % 45) - 22)"
            #expect(double(digits) == Double(digits), "\(digits)")
        }
    }

    @Test(
        "J12: doubles are written in their shortest form",
        arguments: [
            (0.1, "0.1"), (3, "3.0"), (-0.0, "-0.0"), (1e16, "1e+16"), (.leastNonzeroMagnitude, "5e-324"),
            (1.0 / 3, "0.3333333333333333"),
            (.greatestFiniteMagnitude, "1.7976931348623157e+308"), (.infinity, "null"), (.nan, "null"),
        ]) func doubleText(value: Double, json: String)
    { #expect(written { $0.double(value) } == json) }

    @Test(
        "J12: integers are written in decimal",
        arguments: [
            (Int64.min, "-9223372036854775808"), (.max, "9223372036854775807"), (0, "0"), (-1, "-1"), (10, "10"),
            (-90, "-90"),
        ]) func integerText(value: Int64, json: String)
    { #expect(written { $0.int64(value) } == json) }
}
