package import NephosTransport

/// Passes requests to a closure of a test, which answers them.
package struct ClosureTransport: Transport {
    private let answer: @Sendable (TransportRequest) async throws(TransportFault) -> TransportAnswer

    package init(_ answer: @escaping @Sendable (TransportRequest) async throws(TransportFault) -> TransportAnswer) {
        self.answer = answer
    }

    package func send(_ request: TransportRequest) async throws(TransportFault) -> TransportAnswer {
        try await answer(request)
    }
}
