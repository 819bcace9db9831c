public import NephosStorage

/// How far a device has followed its databases: the id of an event of its stream. Whoever is connected again says the last
/// one it saw, and is told whether anything happened since.
public struct StreamToken: Sendable, Equatable {
    public let device: DeviceKey
    /// Sequence of the device's home database, and of the public one.
    public var own: Sequence
    public var shared: Sequence

    public init(device: DeviceKey, own: Sequence, shared: Sequence) {
        self.device = device
        self.own = own
        self.shared = shared
    }

    /// - Parameter key: The tenant's signing key.
    public func sealed(key: [UInt8]) -> String {
        var content = TokenContent()
        content.append(own)
        content.append(shared)
        return SealedToken.seal(content.bytes + device.id, for: .stream, key: key)
    }

    /// nil for anything but a token of this device.
    public init?(_ token: String, of device: DeviceKey, key: [UInt8]) {
        guard let bytes = try? SealedToken.open(token, for: .stream, key: key) else { return nil }
        var content = TokenContent(reading: bytes)
        guard let own = try? content.next(), let shared = try? content.next(), Array(content.rest) == device.id else {
            return nil
        }
        self.init(device: device, own: own, shared: shared)
    }
}
