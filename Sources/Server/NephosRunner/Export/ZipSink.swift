import CZlib
import Synchronization

/// Writes an export as a ZIP file (APPNOTE.TXT 6.3.10), piece by piece; only the offsets of files are held in memory. Files are not
/// compressed; each is written as stored blocks of DEFLATE (RFC 1951, 3.2.4), which every reader accepts without a known length. Files of 4
/// GB or more are refused; the archive may be larger.
package final class ZipSink: ExportSink {
    /// A file in the archive.
    private struct Entry {
        let name: [UInt8]
        /// The offset of its header.
        let offset: UInt64
        /// CRC-32.
        var sum: UInt = crc32(0, nil, 0)
        /// The size of the content, and the size as written.
        var size: UInt64 = 0, written: UInt64 = 0
    }

    private struct State {
        var entries: [Entry] = []
        var offset: UInt64 = 0
    }

    /// The size of a piece, and of a block, in bytes.
    private static let piece = 16 << 10
    private static let lengthMax: UInt64 = 0xFFFF_FFFF

    private let state = Mutex(State())
    private let take: @Sendable ([UInt8]) async throws -> Void

    /// - Parameter take: Takes the next bytes. Not called concurrently.
    package init(_ take: @escaping @Sendable ([UInt8]) async throws -> Void) { self.take = take }

    private func put(_ bytes: [UInt8]) async throws {
        state.withLock { $0.offset += UInt64(bytes.count) }
        try await take(bytes)
    }

    package func begin(_ name: String) async throws {
        let entry = state.withLock { state in
            state.entries.append(Entry(name: Array(name.utf8), offset: state.offset))
            return state.entries[state.entries.count - 1]
        }
        var bytes = LittleEndian()
        bytes.add(0x0403_4B50, 4)
        Self.addCommon(entry, to: &bytes)
        try await put(bytes.bytes + entry.name)
    }

    package func write(_ bytes: [UInt8]) async throws {
        for start in stride(from: 0, to: bytes.count, by: Self.piece) {
            let piece = bytes[start..<min(start + Self.piece, bytes.count)]
            try await put(try block(piece, isLast: false))
        }
    }

    package func end() async throws {
        let last = try block([], isLast: true)
        guard let entry = state.withLock({ $0.entries.last }) else { return }
        var bytes = LittleEndian()
        bytes.add(0x0807_4B50, 4)
        bytes.add(UInt64(entry.sum), 4)
        bytes.add(entry.written, 4)
        bytes.add(entry.size, 4)
        try await put(last + bytes.bytes)
    }

    /// Also adds the piece to the checksum and sizes.
    private func block(_ piece: ArraySlice<UInt8>, isLast: Bool) throws -> [UInt8] {
        var bytes = LittleEndian()
        bytes.add(isLast ? 1 : 0, 1)
        bytes.add(UInt64(piece.count), 2)
        bytes.add(UInt64(0xFFFF ^ piece.count), 2)
        try state.withLock { state in
            let place = state.entries.count - 1
            state.entries[place].sum = piece.withUnsafeBufferPointer { piece in
                // An empty buffer has no base address, for which zlib would restart the checksum.
                piece.isEmpty
                    ? state.entries[place].sum : crc32(state.entries[place].sum, piece.baseAddress, UInt32(piece.count))
            }
            state.entries[place].size += UInt64(piece.count)
            state.entries[place].written += UInt64(bytes.bytes.count + piece.count)
            guard state.entries[place].written < Self.lengthMax else {
                throw Failure("A file of an export has more than 4 GB. Export it into a folder, with the command.")
            }
        }
        return bytes.bytes + piece
    }

    /// Version, flags (lengths follow the file, its name is UTF-8), method, and a time, which is not set: the earliest valid one. Then lengths and
    /// checksum, if known, and the length of the name.
    private static func addCommon(_ entry: Entry, to bytes: inout LittleEndian, isKnown: Bool = false) {
        bytes.add(45, 2)
        bytes.add(0x0808, 2)
        bytes.add(8, 2)
        bytes.add(0, 2)
        bytes.add(0x21, 2)
        bytes.add(isKnown ? UInt64(entry.sum) : 0, 4)
        bytes.add(isKnown ? entry.written : 0, 4)
        bytes.add(isKnown ? entry.size : 0, 4)
        bytes.add(UInt64(entry.name.count), 2)
        if !isKnown { bytes.add(0, 2) }
    }

    /// Writes the central directory. Nothing may be written after it.
    package func finish() async throws {
        let (entries, start) = state.withLock { ($0.entries, $0.offset) }
        for entry in entries {
            let isFar = entry.offset >= Self.lengthMax
            var bytes = LittleEndian()
            bytes.add(0x0201_4B50, 4)
            bytes.add(45, 2)
            Self.addCommon(entry, to: &bytes, isKnown: true)
            bytes.add(isFar ? 12 : 0, 2)
            for length in [2, 2, 2, 4] { bytes.add(0, length) }
            bytes.add(min(entry.offset, Self.lengthMax), 4)
            bytes.bytes += entry.name
            if isFar {
                bytes.add(1, 2)
                bytes.add(8, 2)
                bytes.add(entry.offset, 8)
            }
            try await put(bytes.bytes)
        }
        try await put(end(entries.count, start))
    }

    private func end(_ count: Int, _ start: UInt64) -> [UInt8] {
        let end = state.withLock { $0.offset }
        var bytes = LittleEndian()
        // The ZIP64 end of the directory, with 8-byte numbers, and its locator.
        bytes.add(0x0606_4B50, 4)
        bytes.add(44, 8)
        for number: UInt64 in [45, 45] { bytes.add(number, 2) }
        for number: UInt64 in [0, 0] { bytes.add(number, 4) }
        for number in [UInt64(count), UInt64(count), end - start, start] { bytes.add(number, 8) }
        bytes.add(0x0706_4B50, 4)
        bytes.add(0, 4)
        bytes.add(end, 8)
        bytes.add(1, 4)
        // The end of the directory for readers without ZIP64.
        bytes.add(0x0605_4B50, 4)
        for number: UInt64 in [0, 0] { bytes.add(number, 2) }
        for _ in 0..<2 { bytes.add(min(UInt64(count), 0xFFFF), 2) }
        bytes.add(min(end - start, Self.lengthMax), 4)
        bytes.add(min(start, Self.lengthMax), 4)
        bytes.add(0, 2)
        return bytes.bytes
    }
}

/// Little-endian numbers.
private struct LittleEndian {
    var bytes: [UInt8] = []

    mutating func add(_ number: UInt64, _ count: Int) {
        for place in 0..<count { bytes.append(UInt8(truncatingIfNeeded: number >> (8 * place))) }
    }
}
