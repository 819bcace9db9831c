import Foundation
import NephosTransport

/// An operation on a database: the one that it was added to, or else the private database of its container.
open class CKDatabaseOperation: CKOperation, @unchecked Sendable {
    private let place = Locked<CKDatabase?>(nil)

    /// The database that the operation runs on; nil for the private database of its container. ``CKDatabase/add(_:)``
    /// sets it.
    public var database: CKDatabase? {
        get { place.value }
        set { place.value = newValue }
    }

    /// The database that the operation runs on.
    var target: CKDatabase { database ?? (settings.container ?? .default()).privateCloudDatabase }

    override var service: Service? { target.core.service }

    override init(_: Void) { super.init(()) }
}
