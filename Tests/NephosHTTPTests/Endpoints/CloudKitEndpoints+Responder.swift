import NephosDelivery
import NephosEndpoints
import NephosRunner

extension EndpointResponder {
    /// One that answers CloudKit Web Services.
    static func cloudKit(_ runner: Runner, desk: CourierDesk? = nil) -> EndpointResponder {
        EndpointResponder(CloudKitEndpoints(runner: runner, desk: desk).all, runner: runner)
    }
}
