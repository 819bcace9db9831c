import CloudKitWire
import NephosRunner

/// A non-empty range of bytes of a file.
package struct ByteRange: Sendable, Equatable {
    package var first: Int64
    package var length: Int64

    package init(first: Int64, length: Int64) {
        self.first = first
        self.length = length
    }

    /// Value of `Content-Range` for these bytes of a file of `size` bytes (RFC 9110 §14.4).
    package func contentRange(of size: Int64) -> String { "bytes \(first)-\(first + length - 1)/\(size)" }

    /// Value of `Content-Range` when a file of `size` bytes has none of the requested bytes (RFC 9110 §14.4).
    package static func unsatisfiedContentRange(of size: Int64) -> String { "bytes */\(size)" }
}

/// The value of a `Range` header (RFC 9110 §14.2), if it is a single range of bytes, the only supported form.
enum RangeRequest: Equatable {
    /// From the first byte up to and including the last, which may be after the end.
    case from(Int64, through: Int64)
    case last(Int64)

    /// nil for a value that must or may be ignored: another unit, a malformed value, several ranges.
    init?(_ value: String) {
        guard let sign = value.utf8.firstIndex(of: UInt8(ascii: "=")),
            String(value[..<sign]).isEqualIgnoringCase(to: "bytes")
        else { return nil }
        let ranges = value[value.index(after: sign)...].split(separator: ",").map(\.trimmed).filter { !$0.isEmpty }
        guard ranges.count == 1, let dash = ranges[0].utf8.firstIndex(of: UInt8(ascii: "-")) else { return nil }
        let (start, end) = (ranges[0][..<dash], ranges[0][ranges[0].index(after: dash)...])
        switch (start.isEmpty, end.isEmpty) {
        case (true, true): return nil
        case (true, false):
            guard let length = RangeRequest.number(end) else { return nil }
            self = .last(length)
        case (false, true):
            guard let first = RangeRequest.number(start) else { return nil }
            self = .from(first, through: .max)
        case (false, false):
            guard let first = RangeRequest.number(start), let last = RangeRequest.number(end), first <= last
            else { return nil }
            self = .from(first, through: last)
        }
    }

    /// The range in a file of `size` bytes, which is not empty; nil if the file has none of it (RFC 9110 §14.1.2).
    func range(of size: Int64) -> ByteRange? {
        switch self {
        case .from(let first, let last):
            guard first < size else { return nil }
            return ByteRange(first: first, length: min(last, size - 1) - first + 1)
        case .last(let length):
            guard length > 0 else { return nil }
            return ByteRange(first: max(size - length, 0), length: min(length, size))
        }
    }

    /// A number that is too large counts as the largest, which no file reaches.
    private static func number(_ digits: Substring) -> Int64? {
        Digits.number(digits.utf8, clampedTo: .max)
    }
}
