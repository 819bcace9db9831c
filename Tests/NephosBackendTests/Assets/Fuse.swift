import AssetTesting
import Foundation
import NephosAssets
import Synchronization

/// Ends a process at one of its steps: none of its calls to the disk or the store succeed from then on.
final class Fuse: Sendable {
    struct Died: Error {}

    private let left: Mutex<Int>

    /// - Parameter steps: The number of steps that still succeed.
    init(after steps: Int) { left = Mutex(steps) }

    var isBlown: Bool { left.withLock { $0 < 0 } }

    /// Whether the next step succeeds.
    func mayStep() -> Bool {
        left.withLock { left in
            if left >= 0 { left -= 1 }
            return left >= 0
        }
    }

    func step() throws { if !mayStep() { throw Died() } }
}

extension HookedCalls {
    /// The system's calls, up to the step at which the process dies.
    convenience init(_ fuse: Fuse) {
        self.init { _, moment throws(FileFault) in
            if moment == .before, !fuse.mayStep() { throw FileFault(code: EIO) }
        }
    }
}
