import NephosDomain
package import NephosStorage

/// How far a device has followed its databases: the ID of an event of its stream. A client that reconnects sends the last one it
/// received, and is told whether anything has changed since.
package struct StreamToken: Sendable, Equatable {
    package let device: DeviceKey
    /// The sequence of the device's home database, and of the public one.
    package var own: Sequence
    package var shared: Sequence

    package init(device: DeviceKey, own: Sequence, shared: Sequence) {
        self.device = device
        self.own = own
        self.shared = shared
    }

    /// - Parameter key: The tenant's signing key.
    package func sealed(key: [UInt8]) -> String {
        var content = TokenContent()
        content.append(own)
        content.append(shared)
        return SealedToken.seal(content.bytes + device.id, for: .stream, key: key)
    }

    /// nil if it is not a token of this device.
    package init?(_ token: String, of device: DeviceKey, key: [UInt8]) {
        guard let bytes = try? SealedToken.open(token, for: .stream, key: key) else { return nil }
        var content = TokenContent(reading: bytes)
        guard let own = try? content.next(), let shared = try? content.next(), Array(content.rest) == device.id else {
            return nil
        }
        self.init(device: device, own: own, shared: shared)
    }
}
