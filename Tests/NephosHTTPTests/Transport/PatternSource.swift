import NephosHTTP
import NephosRunner
import Synchronization

/// A file of ``Pattern``, whose reads may fail.
final class PatternSource: AnswerSource {
    struct Unreadable: Error {}

    /// The offset at which reading fails, and the end of the file.
    let failsAt: Int64
    let size: Int64
    private let told = Mutex<(reads: Int, bytes: Int, mostCounted: Int)>((0, 0, 0))
    private let budget = Mutex<BodyBudget?>(nil)

    init(size: Int64 = .max, failsAt: Int64 = .max) {
        self.size = size
        self.failsAt = failsAt
    }

    var reads: Int { told.withLock { $0.reads } }
    var bytes: Int { told.withLock { $0.bytes } }
    /// The maximum of the budget's count when data was read.
    var mostCounted: Int { told.withLock { $0.mostCounted } }

    func watch(_ budget: BodyBudget) { self.budget.withLock { $0 = budget } }

    func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        let counted = budget.withLock { $0?.bytes ?? 0 }
        // Less than requested, so that several reads are needed.
        let count = Int(min(Int64(buffer.count), size - offset, 200_000))
        guard offset + Int64(count) <= failsAt else { throw Unreadable() }
        Pattern.fill(UnsafeMutableRawBufferPointer(rebasing: buffer[..<count]), at: Int(offset))
        told.withLock { told in
            told.reads += 1
            told.bytes += count
            told.mostCounted = max(told.mostCounted, counted)
        }
        return count
    }

    /// A response with `length` bytes of it.
    func answer(
        _ length: Int64, from offset: Int64 = 0, status: Int = 200, whenSent: (@Sendable (Bool) -> Void)? = nil
    ) -> Work {
        .file(
            FileAnswer(
                status: status, contentType: "application/octet-stream", headers: [("ETag", "\"tag\"")], source: self,
                offset: offset, length: length, endpoint: "file", whenSent: whenSent))
    }
}
