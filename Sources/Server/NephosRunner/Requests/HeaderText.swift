extension String {
    /// ASCII comparison with a lower-case constant.
    package func isEqualIgnoringCase(to lowercase: StaticString) -> Bool {
        guard utf8.count == lowercase.utf8CodeUnitCount else { return false }
        var expected = lowercase.utf8Start
        for byte in utf8 {
            let lower = byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z") ? byte | 0x20 : byte
            if lower != expected.pointee { return false }
            expected += 1
        }
        return true
    }
}

extension Substring {
    /// Without surrounding spaces and tabs.
    package var trimmed: Substring {
        let isBlank: (Character) -> Bool = { $0 == " " || $0 == "\t" }
        let start = drop(while: isBlank)
        return start.lastIndex { !isBlank($0) }.map { start[...$0] } ?? start
    }
}
