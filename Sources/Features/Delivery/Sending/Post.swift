package import NephosStorage

/// The transport of deliveries for phones and webhooks.
package protocol Post: Sendable {
    /// Sends one delivery over the channel of its device.
    ///
    /// - Parameter catalog: Contains the keys for Apple's push service.
    func send(_ delivery: DeliveryRow, to device: DeviceRow, _ catalog: Catalog) async -> SendOutcome

    /// Closes all connections. Called once, when nothing is being sent anymore.
    func close() async
}
