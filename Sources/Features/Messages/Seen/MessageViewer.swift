import CloudKitWire
import Crypto
import NephosDomain
import NephosRunner
import NephosStorage

/// Who requests and sees messages: a person, on any device; a device on which nobody is signed in; or both, for a device that
/// reports what it showed before somebody signed in.
struct MessageViewer: Sendable {
    static let deviceBytesMax = 1_024
    /// Reports per minute and address from devices on which nobody is signed in: as many as from 200 people who each see a
    /// message and press a button.
    static let reportsMax = 600

    let person: UserID?
    let device: String?
    private let signingKey: [UInt8]

    /// - Parameter device: The identifier sent by the app; nil for none.
    init(_ call: AdmittedCall, device: String?) {
        if case .person(let session) = call.context.caller { person = session.user } else { person = nil }
        self.device = device
        signingKey = call.context.catalog.head.signingKey
    }

    var isUnidentified: Bool { person == nil && device == nil }

    /// The key of the person in rows of a message.
    var personKey: [UInt8]? { person.map(Self.key) }

    static func key(of person: UserID) -> [UInt8] {
        var key: [UInt8] = [1]
        for word in [person.high, person.low] { withUnsafeBytes(of: word.bigEndian) { key += $0 } }
        return key
    }

    /// The key of the device in rows of a message.
    func deviceKey(_ salt: [UInt8]) -> [UInt8]? { device.map(DeviceCode(salt, signingKey: signingKey).key) }

    /// All keys that rows of a message may have for it.
    func keys(_ code: @autoclosure () -> DeviceCode) -> [[UInt8]] {
        var keys: [[UInt8]] = []
        if let personKey { keys.append(personKey) }
        if let device { keys.append(code().key(of: device)) }
        return keys
    }

    func keys(_ salt: [UInt8]) -> [[UInt8]] { keys(DeviceCode(salt, signingKey: signingKey)) }
}

/// Derives the keys of devices in the rows of one message, such that no device can be found without the environment's secret and
/// the message's salt.
struct DeviceCode: Sendable {
    /// The state after all input that precedes the device.
    private let begun: HMAC<SHA256>

    init(_ salt: [UInt8], signingKey: [UInt8]) {
        var code = HMAC<SHA256>(key: SymmetricKey(data: signingKey))
        code.update(data: Array("message device ".utf8) + salt)
        begun = code
    }

    func key(of device: String) -> [UInt8] {
        var code = begun
        code.update(data: Array(device.utf8))
        var key: [UInt8] = [2]
        key.reserveCapacity(17)
        code.finalize().withUnsafeBytes { key += $0.prefix(16) }
        return key
    }
}
