import CZlib
import NephosRunner
import Synchronization

/// Compresses responses. zlib's state is 256 KB, so a few are kept and reused.
final class Gzip: Sendable {
    private let idle = Mutex<[Deflater]>([])
    private static let kept = 4

    /// `bytes` in gzip format, or nil if zlib fails (no memory) or if nothing would be saved.
    func compress(_ bytes: [UInt8]) -> [UInt8]? {
        guard let deflater = idle.withLock({ $0.popLast() }) ?? Deflater() else { return nil }
        let compressed = deflater.compress(bytes)
        idle.withLock { if $0.count < Gzip.kept { $0.append(deflater) } }
        return compressed
    }

    /// `answer`, compressed if that saves space.
    func compress(_ answer: RawResponse) -> RawResponse {
        guard let compressed = compress(answer.body) else { return answer }
        var answer = answer
        answer.body = compressed
        answer.headers += [("Content-Encoding", "gzip"), ("Vary", "Accept-Encoding")]
        return answer
    }
}

/// One zlib stream. Used by one thread at a time: ``Gzip`` provides it under its lock.
private final class Deflater: @unchecked Sendable {
    private let stream: UnsafeMutablePointer<z_stream>

    init?() {
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        // Level 1: JSON shrinks to about a sixth, and higher levels cost several times the CPU for little more.
        let gzipFormat: Int32 = 15 + 16
        let status = deflateInit2_(
            stream, 1, Z_DEFLATED, gzipFormat, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
        guard status == Z_OK else {
            stream.deallocate()
            return nil
        }
    }

    deinit {
        deflateEnd(stream)
        stream.deallocate()
    }

    func compress(_ bytes: [UInt8]) -> [UInt8]? {
        guard bytes.count <= Int(UInt32.max), deflateReset(stream) == Z_OK else { return nil }
        // Room for less than the input: if that is not enough, the response is better sent uncompressed.
        return bytes.withUnsafeBytes { source -> [UInt8]? in
            var finished = false
            let result = [UInt8](unsafeUninitializedCapacity: bytes.count) { room, count in
                stream.pointee.next_in = UnsafeMutablePointer(
                    mutating: source.assumingMemoryBound(to: UInt8.self).baseAddress)
                stream.pointee.avail_in = UInt32(source.count)
                stream.pointee.next_out = room.baseAddress
                stream.pointee.avail_out = UInt32(room.count)
                finished = deflate(stream, Z_FINISH) == Z_STREAM_END
                count = room.count - Int(stream.pointee.avail_out)
            }
            return finished ? result : nil
        }
    }
}
