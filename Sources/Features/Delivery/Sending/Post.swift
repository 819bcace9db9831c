package import NephosStorage

/// How deliveries leave this server for devices that are sent to: phones and webhooks.
package protocol Post: Sendable {
    /// Sends one delivery over the channel of its device.
    ///
    /// - Parameter catalog: Has the keys for Apple's push service.
    func send(_ delivery: DeliveryRow, to device: DeviceRow, _ catalog: Catalog) async -> SendOutcome

    /// Lets go of all connections. Called once, when nothing is being sent any more.
    func close() async
}
