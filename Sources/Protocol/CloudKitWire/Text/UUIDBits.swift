/// The bits of a UUID (RFC 9562). The caller decides where they come from; the format is the same everywhere.
package struct UUIDBits: Sendable, Hashable {
    package let high: UInt64
    package let low: UInt64

    /// - Parameter version: 4 if the bits are random, 8 if they are derived. It occupies 4 of the bits, the variant 2.
    package init(high: UInt64, low: UInt64, version: UInt64) {
        self.high = high & ~0xF000 | version << 12
        self.low = low & ~(0b11 << 62) | 0b10 << 62
    }

    /// - Parameter bytes: 16. Missing bytes are 0.
    package init(_ bytes: [UInt8], version: UInt64) {
        let words = [bytes.prefix(8), bytes.dropFirst(8).prefix(8)].map { $0.reduce(0) { $0 << 8 | UInt64($1) } }
        self.init(high: words[0], low: words[1], version: version)
    }

    /// Length of ``text`` and ``lowerCase``.
    package static let textBytes = 36

    /// Upper-case hexadecimal in groups, as CloudKit prints it.
    package var text: String { text(ten: UInt8(ascii: "A")) }

    /// The same in lower case, as Apple's push service requires.
    package var lowerCase: String { text(ten: UInt8(ascii: "a")) }

    private func text(ten: UInt8) -> String {
        String(unsafeUninitializedCapacity: Self.textBytes) { memory in
            write(to: UnsafeMutableRawBufferPointer(memory), ten: ten)
            return Self.textBytes
        }
    }

    /// Writes ``text``. - Parameter memory: Must have room for ``textBytes`` bytes.
    package func write(to memory: UnsafeMutableRawBufferPointer) { write(to: memory, ten: UInt8(ascii: "A")) }

    private func write(to memory: UnsafeMutableRawBufferPointer, ten: UInt8) {
        var at = 0
        for digit in 0..<32 {
            if digit == 8 || digit == 12 || digit == 16 || digit == 20 {
                memory[at] = UInt8(ascii: "-")
                at += 1
            }
            let half = digit < 16 ? high : low
            memory[at] = Hexadecimal.digit(
                UInt8(truncatingIfNeeded: half >> UInt64(60 - (digit & 15) * 4)) & 15, ten: ten)
            at += 1
        }
    }
}
