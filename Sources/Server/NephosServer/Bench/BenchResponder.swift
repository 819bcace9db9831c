package import NephosHTTP

/// Routes that only measurements use (`serve --bench`): what the transport alone costs.
///
/// - `/bench/echo` answers the body it got.
/// - `/bench/empty` answers `{}`.
package struct BenchResponder: Responder {
    private let next: any Responder

    package init(next: any Responder) { self.next = next }

    package func respond(to request: RawRequest) -> Work {
        switch request.target {
        case "/bench/echo": .answer(RawResponse(body: request.body, endpoint: "bench/echo"))
        case "/bench/empty": .answer(RawResponse(body: Array("{}".utf8), endpoint: "bench/empty"))
        default: next.respond(to: request)
        }
    }
}
