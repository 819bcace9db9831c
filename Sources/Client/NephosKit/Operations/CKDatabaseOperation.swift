import Foundation
import NephosTransport

/// An operation on a database: the one it was added to, else the private one of its container.
open class CKDatabaseOperation: CKOperation, @unchecked Sendable {
    private let place = Locked<CKDatabase?>(nil)

    /// The database that it runs on; nil for the private database of its container. ``CKDatabase/add(_:)`` sets it.
    public var database: CKDatabase? {
        get { place.value }
        set { place.value = newValue }
    }

    /// Where it runs.
    var target: CKDatabase { database ?? (settings.container ?? .default()).privateCloudDatabase }

    override var service: Service? { target.core.service }

    override init(_: Void) { super.init(()) }
}
