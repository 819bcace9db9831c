import NephosDelivery
package import NephosRunner

/// One message for one webhook.
package struct WebhookCall: Sendable, CustomStringConvertible {
    package let address: WebhookAddress
    /// JSON.
    package let body: [UInt8]
    /// Sent as `Nephos-Delivery`. Retries have the same one, so that a receiver can recognize them.
    package let id: DeliveryID
    /// Signs the body.
    package let secret: [UInt8]

    package init(address: WebhookAddress, body: [UInt8], id: DeliveryID, secret: [UInt8]) {
        self.address = address
        self.body = body
        self.id = id
        self.secret = secret
    }

    /// Only the id: address, body and secret must not be logged.
    package var description: String { "webhook call \(id)" }
}
