import NephosDelivery
import NephosEndpoints
import NephosRunner

extension EndpointResponder {
    /// A responder for CloudKit Web Services.
    static func cloudKit(_ runner: Runner, desk: LongPollHub? = nil) -> EndpointResponder {
        let courier = CourierEndpoint(runner: runner, hub: desk, randomSource: .system)
        return EndpointResponder(CloudKitEndpoints(indexes: IndexKeeper()).all + [courier.endpoint], runner: runner)
    }
}
