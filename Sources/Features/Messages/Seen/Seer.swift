import CloudKitWire
import Crypto
import NephosDomain
import NephosRunner
import NephosStorage

/// Who asks for messages and sees them: a person, on whatever device; a device where nobody is signed in; or both, where a device tells what
/// it has shown before somebody signed in.
struct Seer: Sendable {
    static let deviceBytesMax = 1_024

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
    var personKey: [UInt8]? {
        person.map { user in
            var key: [UInt8] = [1]
            for word in [user.high, user.low] { withUnsafeBytes(of: word.bigEndian) { key += $0 } }
            return key
        }
    }

    /// As rows of a message name the device: by what nobody finds it from who lacks the environment's secret or the message's salt.
    func deviceKey(_ salt: [UInt8]) -> [UInt8]? {
        device.map { device in
            let text = Array("message device ".utf8) + salt + Array(device.utf8)
            let code = HMAC<SHA256>.authenticationCode(for: text, using: SymmetricKey(data: signingKey))
            return [2] + Array(code.prefix(16))
        }
    }

    /// All that rows of a message may name it by.
    func keys(_ salt: [UInt8]) -> [[UInt8]] { [personKey, deviceKey(salt)].compactMap(\.self) }
}
