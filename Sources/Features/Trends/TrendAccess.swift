import NephosDomain
import NephosRunner

/// What somebody may want of trends.
enum TrendAccess: Sendable { case reads, imports }

extension AdmittedCall {
    func trendAccess(_ wanted: TrendAccess) throws(Refusal) {
        guard case .serverKey = context.caller else {
            throw .accessDenied("trends are for who runs the container: sign the request with a server key")
        }
    }
}
