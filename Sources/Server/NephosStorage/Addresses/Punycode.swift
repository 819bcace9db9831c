/// Punycode (RFC 3492): any characters as ASCII letters, digits and hyphens, as they are in domains after `xn--`.
enum Punycode {
    private static let base = 36, lowest = 1, highest = 26, skew = 38, damp = 700
    private static let firstBias = 72, firstScalar = 0x80

    // MARK: Encoding

    /// The time grows with the square of the length.
    static func encoded(_ scalars: [Unicode.Scalar]) -> String {
        var out = scalars.filter(\.isASCII).map { UInt8($0.value) }
        let plain = out.count
        if plain > 0 { out.append(UInt8(ascii: "-")) }
        var (next, delta, bias, handled) = (firstScalar, 0, firstBias, plain)
        while handled < scalars.count {
            let least = scalars.reduce(Int.max) { Int($1.value) >= next ? min($0, Int($1.value)) : $0 }
            delta += (least - next) * (handled + 1)
            next = least
            for scalar in scalars {
                if scalar.value < next { delta += 1 }
                guard scalar.value == next else { continue }
                append(delta, bias, to: &out)
                bias = adapted(delta, count: handled + 1, isFirst: handled == plain)
                delta = 0
                handled += 1
            }
            delta += 1
            next += 1
        }
        return String(decoding: out, as: UTF8.self)
    }

    private static func append(_ delta: Int, _ bias: Int, to out: inout [UInt8]) {
        var (rest, k) = (delta, base)
        while true {
            let threshold = threshold(k, bias)
            guard rest >= threshold else { break }
            out.append(letter(of: threshold + (rest - threshold) % (base - threshold)))
            rest = (rest - threshold) / (base - threshold)
            k += base
        }
        out.append(letter(of: rest))
    }

    private static func letter(of digit: Int) -> UInt8 {
        digit < 26 ? UInt8(ascii: "a") + UInt8(digit) : UInt8(ascii: "0") + UInt8(digit - 26)
    }

    // MARK: Decoding

    /// No number in the code of a text is greater; products with it do not overflow.
    private static let numberMax = 1 << 40

    /// The decoded text; nil if this is not the code of any.
    static func decoded(_ code: some StringProtocol) -> [Unicode.Scalar]? {
        let bytes = Array(code.utf8)
        guard bytes.allSatisfy({ $0 < 0x80 }) else { return nil }
        let plain = bytes.lastIndex(of: UInt8(ascii: "-")) ?? 0
        var scalars = bytes[..<plain].map { Unicode.Scalar($0) }
        var rest = bytes[(plain > 0 ? plain + 1 : 0)...]
        var (next, position, bias) = (firstScalar, 0, firstBias)
        while !rest.isEmpty {
            let start = position
            var (weight, k) = (1, base)
            while true {
                guard let digit = rest.popFirst().flatMap(digit(of:)), position <= numberMax, weight <= numberMax else {
                    return nil
                }
                position += digit * weight
                let threshold = threshold(k, bias)
                if digit < threshold { break }
                weight *= base - threshold
                k += base
            }
            let count = scalars.count + 1
            bias = adapted(position - start, count: count, isFirst: start == 0)
            next += position / count
            position %= count
            guard let scalar = UInt32(exactly: next).flatMap(Unicode.Scalar.init) else { return nil }
            scalars.insert(scalar, at: position)
            position += 1
        }
        return scalars
    }

    private static func digit(of letter: UInt8) -> Int? {
        switch letter {
        case UInt8(ascii: "a")...UInt8(ascii: "z"): Int(letter - UInt8(ascii: "a"))
        case UInt8(ascii: "0")...UInt8(ascii: "9"): Int(letter - UInt8(ascii: "0")) + 26
        default: nil
        }
    }

    // MARK: Thresholds

    private static func threshold(_ k: Int, _ bias: Int) -> Int { min(max(k - bias, lowest), highest) }

    private static func adapted(_ delta: Int, count: Int, isFirst: Bool) -> Int {
        var (delta, k) = (isFirst ? delta / damp : delta / 2, 0)
        delta += delta / count
        while delta > (base - lowest) * highest / 2 {
            delta /= base - lowest
            k += base
        }
        return k + (base - lowest + 1) * delta / (delta + skew)
    }
}
