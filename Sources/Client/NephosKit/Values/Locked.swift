import Foundation

/// A value that any thread may read and change. (Swift's own mutex needs newer systems than this library does.)
final class Locked<Value>: @unchecked Sendable {
    private let lock = NSLock()
    private var stored: Value

    init(_ value: Value) { stored = value }

    var value: Value {
        get { withLock { $0 } }
        set { withLock { $0 = newValue } }
    }

    /// - Parameter body: Must not wait, nor use this again.
    func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
        lock.lock()
        defer { lock.unlock() }
        return try body(&stored)
    }
}
