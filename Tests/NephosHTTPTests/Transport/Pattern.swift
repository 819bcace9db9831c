import Foundation

/// An endless pseudo-random sequence of bytes; two positions are equal only if they are a multiple of a prime apart, so that a
/// misplaced piece is detected.
enum Pattern {
    private static let period = 65_521
    private static let block: [UInt8] = {
        var state: UInt64 = 42
        return (0..<period).map { _ in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return UInt8(truncatingIfNeeded: state >> 40)
        }
    }()

    static func bytes(_ range: Range<Int>) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: range.count) { room, count in
            fill(UnsafeMutableRawBufferPointer(room), at: range.lowerBound)
            count = range.count
        }
    }

    static func fill(_ room: UnsafeMutableRawBufferPointer, at offset: Int) {
        runs(room.count, at: offset) { at, block in
            UnsafeMutableRawBufferPointer(rebasing: room[at..<at + block.count]).copyMemory(from: block)
            return true
        }
    }

    /// Whether `bytes` are those at `offset`.
    static func matches(_ bytes: UnsafeRawBufferPointer, at offset: Int) -> Bool {
        runs(bytes.count, at: offset) { at, block in
            guard let start = bytes.baseAddress, let expected = block.baseAddress else { return false }
            return memcmp(start + at, expected, block.count) == 0
        }
    }

    @discardableResult private static func runs(
        _ count: Int, at offset: Int, _ body: (Int, UnsafeRawBufferPointer) -> Bool
    ) -> Bool {
        block.withUnsafeBytes { block in
            var at = 0
            while at < count {
                let from = (offset + at) % period
                let run = UnsafeRawBufferPointer(rebasing: block[from..<min(period, from + count - at)])
                guard body(at, run) else { return false }
                at += run.count
            }
            return true
        }
    }
}
