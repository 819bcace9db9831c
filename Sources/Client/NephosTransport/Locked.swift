public import Foundation

/// A value that any thread may read and change. (Swift's own mutex needs newer systems than this library does, and `NSLock`
/// takes four pieces of memory on Linux, where every record has one of these.)
///
/// It is `public`, in a room of no product, since the compiler makes no version for a type of a class of another room that is `package`:
/// each use would then ask for its parts at run time.
public final class Locked<Value>: @unchecked Sendable {
    @usableFromInline let mutex: UnsafeMutablePointer<pthread_mutex_t>
    // Only the lock's holder comes here, so nobody need look whether two do.
    @usableFromInline @exclusivity(unchecked) var stored: Value

    @inlinable
    package init(_ value: Value) {
        stored = value
        mutex = .allocate(capacity: 1)
        mutex.initialize(to: pthread_mutex_t())
        pthread_mutex_init(mutex, nil)
    }

    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    @inlinable
    package var value: Value {
        get { withLock { $0 } }
        set { withLock { $0 = newValue } }
    }

    /// - Parameter body: Must not wait, nor use this again.
    @inlinable
    package func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return try body(&stored)
    }
}
