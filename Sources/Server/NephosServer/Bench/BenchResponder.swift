package import NephosRunner

/// Routes for benchmarks only (`serve --bench`): the cost of the transport alone.
///
/// - `/bench/echo` responds with the request body, `/bench/echo?bytes=N` with N bytes, so that a response may be larger than its
///   request.
/// - `/bench/empty` responds with `{}`.
package struct BenchResponder: Responder {
    private let next: any Responder

    package init(next: any Responder) { self.next = next }

    package func bodyMode(of head: RawRequest, bodyBytes: Int?) -> RequestBodyMode {
        head.target.hasPrefix("/bench/") ? .whole : next.bodyMode(of: head, bodyBytes: bodyBytes)
    }

    package func respond(to request: RawRequest) -> Work {
        switch request.path {
        case "/bench/echo": .answer(RawResponse(body: echo(request), endpoint: "bench/echo"))
        case "/bench/empty": .answer(RawResponse(body: Array("{}".utf8), endpoint: "bench/empty"))
        default: next.respond(to: request)
        }
    }

    private func echo(_ request: RawRequest) -> [UInt8] {
        guard request.target.hasPrefix(Self.sized), let count = Int(request.target.dropFirst(Self.sized.count)),
            (0...Self.bytesMax).contains(count)
        else { return request.body }
        return [UInt8](repeating: UInt8(ascii: " "), count: count)
    }

    private static let sized = "/bench/echo?bytes="
    private static let bytesMax = 16 << 20
}
