public import Foundation
import NephosTransport

/// Listens to the system's sheet for sharing. Linux has no such sheet: no block is ever called.
public final class CKSystemSharingUIObserver: NSObject, @unchecked Sendable {
    private let didSave = Locked<(@Sendable (CKRecord.ID, Result<CKShare, any Error>) -> Void)?>(nil)
    private let didStop = Locked<(@Sendable (CKRecord.ID, Result<Void, any Error>) -> Void)?>(nil)

    /// Creates an observer, whatever the container: there is nothing to observe.
    public init(container: CKContainer) {}

    /// Never called.
    public var systemSharingUIDidSaveShareBlock:
        (@Sendable (_ recordID: CKRecord.ID, _ saveResult: Result<CKShare, any Error>) -> Void)?
    {
        get { didSave.value }
        set { didSave.value = newValue }
    }
    /// Never called.
    public var systemSharingUIDidStopSharingBlock:
        (@Sendable (_ recordID: CKRecord.ID, _ deleteResult: Result<Void, any Error>) -> Void)?
    {
        get { didStop.value }
        set { didStop.value = newValue }
    }
}
