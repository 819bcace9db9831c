import CloudKitWire

/// One notification for one device.
package struct APNsPush: Sendable, Equatable {
    /// What the device does with it; `apns-push-type`.
    package enum Kind: String, Sendable {
        /// Shows an alert, plays a sound or sets a badge; sent immediately (priority 10).
        case alert
        /// Wakes the app, possibly delayed to save power (priority 5, the only one that APNs accepts for these).
        case background
    }

    package static let payloadBytesMax = 4_096

    /// Lower-case hexadecimal digits.
    package let deviceToken: String
    /// JSON.
    package let payload: [UInt8]
    package let kind: Kind
    package let collapseID: CollapseID?
    package let id: DeliveryID
    /// Seconds since 1970 until which APNs keeps trying; 0 for a single attempt now.
    package let expiration: Int64

    /// - Parameters:
    ///   - deviceToken: 64 to 200 hexadecimal digits, an even number.
    ///   - payload: JSON of 1 to 4,096 bytes.
    ///   - collapseID: Pushes with the same id replace each other on the device.
    ///   - expiration: Seconds since 1970, not negative.
    /// - Throws: ``APNsPushError``.
    package init(
        deviceToken: String, payload: [UInt8], kind: Kind, collapseID: CollapseID? = nil, id: DeliveryID,
        expiration: Int64 = 0
    ) throws(APNsPushError) {
        let deviceToken = deviceToken.lowercased()
        guard let bytes = Hexadecimal.bytes(deviceToken), (32...100).contains(bytes.count) else {
            throw .invalidDeviceToken
        }
        guard !payload.isEmpty else { throw .emptyPayload }
        guard payload.count <= Self.payloadBytesMax else { throw .payloadTooLong(bytes: payload.count) }
        guard expiration >= 0 else { throw .negativeExpiration }
        self.deviceToken = deviceToken
        self.payload = payload
        self.kind = kind
        self.collapseID = collapseID
        self.id = id
        self.expiration = expiration
    }
}

/// Why a push is not valid.
package enum APNsPushError: Error, Sendable, Equatable, CustomStringConvertible {
    case invalidDeviceToken
    case emptyPayload
    case payloadTooLong(bytes: Int)
    case negativeExpiration

    package var description: String {
        switch self {
        case .invalidDeviceToken: "A device token must be 64 to 200 hexadecimal digits, an even number of them."
        case .emptyPayload: "The payload is empty. Expected: a JSON object."
        case .payloadTooLong(let bytes):
            "The payload has \(bytes) bytes, and APNs takes at most \(APNsPush.payloadBytesMax)."
        case .negativeExpiration: "The expiration must be seconds since 1970, or 0."
        }
    }
}
