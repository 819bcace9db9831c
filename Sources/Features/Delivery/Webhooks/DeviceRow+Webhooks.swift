package import CloudKitWire
package import NephosStorage

extension DeviceRow {
    /// The only subscription that a webhook is notified of: the one created with it.
    ///
    /// - Parameter id: The ID of the webhook.
    package static func webhookSubscription(_ id: [UInt8]) -> Name { Name("webhook-\(Hexadecimal.text(id.prefix(8)))") }
}
