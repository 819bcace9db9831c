import AssetTesting
import Foundation
import NephosAssets
import Synchronization

/// Ends a process at one of its steps: nothing that it asks of the disk or the store comes through from then on.
final class Fuse: Sendable {
    struct Died: Error {}

    private let left: Mutex<Int>

    /// - Parameter steps: How many still take place.
    init(after steps: Int) { left = Mutex(steps) }

    var isBlown: Bool { left.withLock { $0 < 0 } }

    /// Whether the next step takes place.
    func mayStep() -> Bool {
        left.withLock { left in
            if left >= 0 { left -= 1 }
            return left >= 0
        }
    }

    func step() throws { if !mayStep() { throw Died() } }
}

extension HookedCalls {
    /// The calls of the system, up to the step at which the process dies.
    convenience init(_ fuse: Fuse) {
        self.init { _, moment throws(FileFault) in
            if moment == .before, !fuse.mayStep() { throw FileFault(code: EIO) }
        }
    }
}
