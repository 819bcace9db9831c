import CloudKitWire
import Crypto
import NephosDomain
import NephosRunner
import NephosStorage

/// Who asks for messages and sees them: a person, on whatever device; a device where nobody is signed in; or both, where a device tells what
/// it has shown before somebody signed in.
struct Seer: Sendable {
    static let deviceBytesMax = 1_024
    /// Reports of devices where nobody is signed in, from one address in a minute: as many as of 200 people behind one, each of whom sees a message
    /// and presses a button.
    static let reportsMax = 600

    let person: UserID?
    let device: String?
    private let signingKey: [UInt8]

    /// - Parameter device: What an app names; nil for none.
    init(_ call: AdmittedCall, device: String?) {
        if case .person(let session) = call.context.caller { person = session.user } else { person = nil }
        self.device = device
        signingKey = call.context.catalog.head.signingKey
    }

    var isNobody: Bool { person == nil && device == nil }

    /// As rows of a message name the person.
    var personKey: [UInt8]? { person.map(Self.key) }

    static func key(of person: UserID) -> [UInt8] {
        var key: [UInt8] = [1]
        for word in [person.high, person.low] { withUnsafeBytes(of: word.bigEndian) { key += $0 } }
        return key
    }

    /// As rows of a message name the device.
    func deviceKey(_ salt: [UInt8]) -> [UInt8]? { device.map(DeviceCode(salt, signingKey: signingKey).key) }

    /// All that rows of a message may name it by.
    func keys(_ code: @autoclosure () -> DeviceCode) -> [[UInt8]] {
        var keys: [[UInt8]] = []
        if let personKey { keys.append(personKey) }
        if let device { keys.append(code().key(of: device)) }
        return keys
    }

    func keys(_ salt: [UInt8]) -> [[UInt8]] { keys(DeviceCode(salt, signingKey: signingKey)) }
}

/// How the rows of one message name devices: by what nobody finds a device from who lacks the environment's secret or the message's salt.
struct DeviceCode: Sendable {
    /// With all that comes before the device.
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
