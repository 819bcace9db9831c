public import Foundation
import NephosTransport

/// Observes the system's sharing sheet. Linux has no such sheet: no block is ever called.
public final class CKSystemSharingUIObserver: NSObject, @unchecked Sendable {
    private let didSave = Locked<(@Sendable (CKRecord.ID, Result<CKShare, any Error>) -> Void)?>(nil)
    private let didStop = Locked<(@Sendable (CKRecord.ID, Result<Void, any Error>) -> Void)?>(nil)

    /// Creates an observer. The container has no effect, because there is nothing to observe.
    public init(container: CKContainer) {}

    /// Would be called when the sheet saves a share. Never called.
    public var systemSharingUIDidSaveShareBlock:
        (@Sendable (_ recordID: CKRecord.ID, _ saveResult: Result<CKShare, any Error>) -> Void)?
    {
        get { didSave.value }
        set { didSave.value = newValue }
    }
    /// Would be called when the person stops sharing in the sheet. Never called.
    public var systemSharingUIDidStopSharingBlock:
        (@Sendable (_ recordID: CKRecord.ID, _ deleteResult: Result<Void, any Error>) -> Void)?
    {
        get { didStop.value }
        set { didStop.value = newValue }
    }
}
