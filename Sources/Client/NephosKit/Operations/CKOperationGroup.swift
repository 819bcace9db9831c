import CloudKitWire
public import Foundation
import NephosTransport

/// Operations that belong together, and the settings that they share. Set its properties before the operations run.
public final class CKOperationGroup: NSObject, NSSecureCoding, @unchecked Sendable {
    /// The approximate amount of data that will be sent or fetched.
    public enum TransferSize: Int, Sendable {
        /// The amount is not known.
        case unknown = 0
        /// In the order of kilobytes.
        case kilobytes
        /// In the order of megabytes.
        case megabytes
        /// In the order of tens of megabytes.
        case tensOfMegabytes
        /// In the order of hundreds of megabytes.
        case hundredsOfMegabytes
        /// In the order of gigabytes.
        case gigabytes
        /// In the order of tens of gigabytes.
        case tensOfGigabytes
        /// In the order of hundreds of gigabytes.
        case hundredsOfGigabytes
    }

    private struct Members: Sendable {
        var configuration = CKOperationConfiguration()
        var name: String?
        var quantity = 0
        var expectedSendSize = TransferSize.unknown
        var expectedReceiveSize = TransferSize.unknown
    }

    /// A random ID for each new group. An archive preserves it.
    public let operationGroupID: String
    private let stored: Locked<Members>

    public override init() {
        operationGroupID = UUID().uuidString
        stored = Locked(Members())
    }

    /// The configuration for what operations of the group do not set themselves. The group stores a copy of the value.
    // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
    public var defaultConfiguration: CKOperation.Configuration! {
        get { stored.value.configuration }
        set { stored.withLock { $0.configuration = CKOperationConfiguration(newValue?.members ?? .init()) } }
    }
    var defaults: CKOperationConfiguration.Members { stored.value.configuration.members }

    /// A name for people who read logs. It is not sent.
    public var name: String? {
        get { stored.value.name }
        set { stored.withLock { $0.name = newValue } }
    }
    /// The number of operations that the group will have.
    public var quantity: Int {
        get { stored.value.quantity }
        set { stored.withLock { $0.quantity = newValue } }
    }
    /// The amount of data that the group's operations will send. It is stored, and has no effect.
    public var expectedSendSize: TransferSize {
        get { stored.value.expectedSendSize }
        set { stored.withLock { $0.expectedSendSize = newValue } }
    }
    /// The amount of data that the group's operations will fetch. It is stored, and has no effect.
    public var expectedReceiveSize: TransferSize {
        get { stored.value.expectedReceiveSize }
        set { stored.withLock { $0.expectedReceiveSize = newValue } }
    }

    public static var supportsSecureCoding: Bool { true }

    /// Encodes the group without its default configuration, whose container cannot be archived.
    public func encode(with coder: NSCoder) {
        coder.encodeContent(forKey: "CKOperationGroup") { writer in
            writer.archive("operationGroupID", operationGroupID)
            writer.archive("name", name)
            writer.archive("quantity", quantity)
            writer.archive("expectedSendSize", expectedSendSize.rawValue)
            writer.archive("expectedReceiveSize", expectedReceiveSize.rawValue)
        }
    }

    /// Returns nil for an archive that does not contain a group.
    public required init?(coder: NSCoder) {
        var (id, members): (String?, Members) = (nil, Members())
        let isRead = coder.decodeContent(forKey: "CKOperationGroup") { reader, key throws(WireError) in
            switch key {
            case "operationGroupID": id = try reader.archived()
            case "name": members.name = try reader.archived()
            case "quantity": members.quantity = try reader.archived()
            case "expectedSendSize":
                members.expectedSendSize = TransferSize(rawValue: try reader.archived()) ?? .unknown
            case "expectedReceiveSize":
                members.expectedReceiveSize = TransferSize(rawValue: try reader.archived()) ?? .unknown
            default: break
            }
        }
        guard isRead, let id else { return nil }
        operationGroupID = id
        stored = Locked(members)
    }
}
