import Foundation

/// A value behind a lock of the system, for what several threads of tests contend for.
///
/// The thread sanitizer follows these locks. It reports races at a contended `Mutex`, which the kernel hands from one thread to the
/// next where the sanitizer does not see it.
final class SystemLocked<Value>: @unchecked Sendable {
    private let lock = NSLock()
    private var value: Value

    init(_ value: Value) { self.value = value }

    func withLock<Answer>(_ body: (inout Value) throws -> Answer) rethrows -> Answer {
        lock.lock()
        defer { lock.unlock() }
        return try body(&value)
    }
}
