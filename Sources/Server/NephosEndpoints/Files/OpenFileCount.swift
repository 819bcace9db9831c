import NephosDomain
import Synchronization

/// Counts the files of assets that requests have open. A process may have only a limited number of open files, and connections
/// and the storage engine need theirs.
final class OpenFileCount: Sendable {
    private let most: Int
    private let open = Atomic<Int>(0)

    init(most: Int) { self.most = most }

    /// Counts one file, until the returned slot is released.
    ///
    /// - Throws: ``Refusal/tryAgainLater(_:seconds:)`` if there are too many.
    func take() throws(Refusal) -> OpenFileSlot {
        guard open.wrappingAdd(1, ordering: .relaxed).newValue <= most else {
            open.wrappingSubtract(1, ordering: .relaxed)
            throw .tryAgainLater("too many files are being sent at the moment: try again", seconds: 1)
        }
        return OpenFileSlot(self)
    }

    fileprivate func giveBack() { open.wrappingSubtract(1, ordering: .relaxed) }
}

/// The slot of one open file.
final class OpenFileSlot: Sendable {
    private let count: OpenFileCount

    fileprivate init(_ count: OpenFileCount) { self.count = count }

    deinit { count.giveBack() }
}
