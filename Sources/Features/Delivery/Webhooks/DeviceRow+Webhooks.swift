package import CloudKitWire
package import NephosStorage

extension DeviceRow {
    /// The only subscription that a webhook is told of: the one that was made with it.
    ///
    /// - Parameter id: Of the webhook.
    package static func webhookSubscription(_ id: [UInt8]) -> Name { Name("webhook-\(Hexadecimal.text(id.prefix(8)))") }
}
