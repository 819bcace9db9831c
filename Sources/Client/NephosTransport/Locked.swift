public import Foundation

/// A value that any thread may read and change. (Swift's own mutex requires newer systems than this library does, and `NSLock` takes
/// four allocations on Linux, where every record has one of these.)
///
/// The class is `public`, in a module that belongs to no product, because the compiler does not specialize a generic class of another
/// module that is `package`: each use would then look up its layout at run time.
public final class Locked<Value>: @unchecked Sendable {
    @usableFromInline let mutex: UnsafeMutablePointer<pthread_mutex_t>
    // Accessed only while the lock is held, so exclusivity need not be checked at run time.
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

    /// - Parameter body: Must not block, and must not use this value again.
    @inlinable
    package func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return try body(&stored)
    }
}
