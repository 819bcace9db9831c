import CloudKitWire

/// A page of a server that belongs to no container, such as the sign-in page.
package struct SitePage: Sendable {
    /// Requests with larger bodies are answered with 413, unread: pages take forms, not files.
    private static let bodyBytesMax = 16 << 10

    /// From the first slash on.
    package let path: String
    let methods: [RequestMethod]
    private let answer: @Sendable (RawRequest) -> Work

    /// - Parameter answer: Never blocks; blocking code goes into the ``Work``.
    package init(
        _ path: String, methods: [RequestMethod], answer: @escaping @Sendable (RawRequest) -> Work
    ) {
        (self.path, self.methods, self.answer) = (path, methods, answer)
    }

    package func bodyMode(bodyBytes: Int?) -> RequestBodyMode {
        if let bodyBytes, bodyBytes <= Self.bodyBytesMax { return .whole }
        return .unread { request in
            .answer(
                RawResponse(
                    413, .badRequest, "This page accepts forms of at most 16 KB, with a Content-Length.",
                    id: request.id,
                    endpoint: "page"))
        }
    }

    package func respond(to request: RawRequest) -> Work {
        guard methods.contains(request.method) else {
            let allowed = methods.map(\.rawValue).joined(separator: ", ")
            var refusal = RawResponse(
                405, .badRequest, "This page accepts only \(allowed).", id: request.id, endpoint: "page")
            refusal.headers.append(("Allow", allowed))
            return .answer(refusal)
        }
        return answer(request)
    }
}
