import Foundation

/// The recording of `disk-recorder.c`: every change that processes made to a folder, in the order of the disk.
struct DiskLog: Sendable {
    enum Kind: UInt32 {
        case create = 1
        case write, truncate, syncBegin, syncEnd, rename, unlink, directory, mapped, link
    }

    struct Entry: Sendable {
        var kind: Kind
        /// By CLOCK_MONOTONIC.
        var nanoseconds: UInt64
        /// Inode number; freed ones are reused.
        var file: UInt64
        /// The start of a write, the new size, or the number of a sync.
        var offset: Int
        var path: String
        /// The range of its data in ``DiskLog/bytes``.
        var data: Range<Int>
    }

    let bytes: Data
    private(set) var entries: [Entry] = []

    private static let headBytes = 40

    /// - Throws: An error if the file cannot be read. An entry that a killed process left unfinished ends the log.
    init(reading path: String) throws {
        bytes = try Data(contentsOf: URL(filePath: path), options: .alwaysMapped)
        var position = 0
        while let entry = entry(at: position) {
            entries.append(entry)
            position = entry.data.upperBound
        }
    }

    private func entry(at position: Int) -> Entry? {
        guard position + DiskLog.headBytes <= bytes.count else { return nil }
        let pathStart = position + DiskLog.headBytes
        let dataStart = pathStart + Int(number(at: position + 4, as: UInt32.self))
        let dataEnd = dataStart + Int(number(at: position + 8, as: UInt64.self))
        guard dataEnd <= bytes.count, let kind = Kind(rawValue: number(at: position, as: UInt32.self)) else {
            return nil
        }
        return Entry(
            kind: kind, nanoseconds: number(at: position + 16, as: UInt64.self),
            file: number(at: position + 24, as: UInt64.self),
            offset: Int(truncatingIfNeeded: number(at: position + 32, as: UInt64.self)),
            path: String(decoding: bytes[pathStart..<dataStart], as: UTF8.self), data: dataStart..<dataEnd)
    }

    private func number<Number: FixedWidthInteger>(at position: Int, as type: Number.Type) -> Number {
        bytes.withUnsafeBytes { Number(littleEndian: $0.loadUnaligned(fromByteOffset: position, as: type)) }
    }

    /// An entry's data as text.
    func text(_ entry: Entry) -> String { String(decoding: bytes[entry.data], as: UTF8.self) }
}
