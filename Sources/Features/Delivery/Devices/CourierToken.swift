import CloudKitWire
package import NephosDomain
package import NephosStorage

/// Identifies a device that requests its notifications: `apnsToken`, and `tok` in its `webcourierURL`. The token alone is
/// sufficient for access.
package struct CourierToken: Sendable, Hashable {
    package let device: DeviceKey

    package init(_ device: DeviceKey) { self.device = device }

    /// - Parameter key: The tenant's signing key.
    package func sealed(key: [UInt8]) -> String {
        var content = TokenContent()
        content.append(device.database)
        content.append(Int64(bitPattern: device.user.high))
        content.append(Int64(bitPattern: device.user.low))
        return SealedToken.seal(content.bytes + device.id, for: .courier, key: key)
    }

    /// - Throws: ``Refusal/authenticationFailed(_:)`` for a token that was not created by this tenant.
    package init(_ token: String, key: [UInt8]) throws(Refusal) {
        do throws(Refusal) {
            var content = TokenContent(reading: try SealedToken.open(token, for: .courier, key: key))
            let database = try content.next()
            let user = UserID(
                high: UInt64(bitPattern: try content.next()), low: UInt64(bitPattern: try content.next()))
            guard content.rest.count == DeviceRow.idBytes else { throw .failed }
            device = DeviceKey(database: database, user: user, id: Array(content.rest))
        } catch {
            throw Self.unknown
        }
    }

    /// The response to a token of no container; also used if the container does not exist.
    package static var unknown: Refusal {
        .authenticationFailed(
            "this token was not created for this container and environment: request one with tokens/create")
    }

    /// The response to a URL without a token.
    package static var missing: Refusal {
        .authenticationFailed("the URL has no tok: use the webcourierURL that tokens/create returned")
    }
}
