public import Foundation
import NephosTransport

/// Operations that belong together, and what they have in common. Write it before the operations run.
public final class CKOperationGroup: NSObject, NSSecureCoding, @unchecked Sendable {
    /// How much will be sent or fetched, roughly.
    public enum TransferSize: Int, Sendable {
        /// Nothing is known of it.
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

    /// A new random ID for each group; archives keep it.
    public let operationGroupID: String
    private let stored = Locked(Members())

    public override init() { operationGroupID = UUID().uuidString }

    /// What operations take that do not say otherwise themselves. A copy of what is set is kept.
    // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
    public var defaultConfiguration: CKOperation.Configuration! {
        get { stored.value.configuration }
        set { stored.withLock { $0.configuration = CKOperationConfiguration(newValue?.members ?? .init()) } }
    }
    var defaults: CKOperationConfiguration.Members { stored.value.configuration.members }

    /// A name for people who look into logs. It is not sent.
    public var name: String? {
        get { stored.value.name }
        set { stored.withLock { $0.name = newValue } }
    }
    /// How many there will be.
    public var quantity: Int {
        get { stored.value.quantity }
        set { stored.withLock { $0.quantity = newValue } }
    }
    /// How much its operations will send. It is kept and changes nothing.
    public var expectedSendSize: TransferSize {
        get { stored.value.expectedSendSize }
        set { stored.withLock { $0.expectedSendSize = newValue } }
    }
    /// How much its operations will fetch. It is kept and changes nothing.
    public var expectedReceiveSize: TransferSize {
        get { stored.value.expectedReceiveSize }
        set { stored.withLock { $0.expectedReceiveSize = newValue } }
    }

    public static var supportsSecureCoding: Bool { true }

    /// The default configuration stays out: its container is nothing that can be kept.
    public func encode(with coder: NSCoder) {
        coder.encode(operationGroupID as NSString, forKey: "operationGroupID")
        coder.encodeIfAny(name.map { $0 as NSString }, forKey: "name")
        coder.encode(quantity, forKey: "quantity")
        coder.encode(expectedSendSize.rawValue, forKey: "expectedSendSize")
        coder.encode(expectedReceiveSize.rawValue, forKey: "expectedReceiveSize")
    }

    /// Nil for an archive that holds no group.
    public required init?(coder: NSCoder) {
        guard let id = coder.decodeString(forKey: "operationGroupID") else { return nil }
        operationGroupID = id
        super.init()
        name = coder.decodeString(forKey: "name")
        quantity = coder.decodeInteger(forKey: "quantity")
        expectedSendSize = TransferSize(rawValue: coder.decodeInteger(forKey: "expectedSendSize")) ?? .unknown
        expectedReceiveSize = TransferSize(rawValue: coder.decodeInteger(forKey: "expectedReceiveSize")) ?? .unknown
    }
}
