package import NephosDelivery
package import NephosStorage

/// Sends nothing and reports that: only requests and their effects are tested here.
package struct NoPost: Post {
    package init() {}

    package func send(_ delivery: DeliveryRow, to device: DeviceRow, _ catalog: Catalog) async -> SendOutcome {
        .refused(reason: "this server sends nothing")
    }

    package func close() async {}
}
