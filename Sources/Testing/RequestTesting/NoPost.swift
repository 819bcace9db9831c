import NephosDelivery
import NephosStorage

/// Sends nothing, and says so: requests and what they leave behind are all that is looked at here.
struct NoPost: Post {
    func send(_ delivery: DeliveryRow, to device: DeviceRow, _ catalog: Catalog) async -> SendOutcome {
        .refused(reason: "this server sends nothing")
    }

    func close() async {}
}
