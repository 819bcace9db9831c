import CloudKitWire
package import NephosRunner

/// The few pages every server has; everything else goes on to the responder behind it.
///
/// - `/sign-in`: where a 421 sends people.
/// - What a ``Monitor`` answers, where this server has one.
package struct PagesResponder: Responder {
    private let next: any Responder
    private let monitor: Monitor?

    /// - Parameter monitor: nil where it has an address of its own.
    package init(monitor: Monitor?, next: any Responder) {
        self.monitor = monitor
        self.next = next
    }

    package func reception(of head: RawRequest, bodyBytes: Int?) -> Reception {
        guard head.target.utf8.dropFirst().first != UInt8(ascii: "d"), isPage(head.path) else {
            return next.reception(of: head, bodyBytes: bodyBytes)
        }
        return .unread { respond(to: $0) }
    }

    private func isPage(_ path: Substring) -> Bool { path == SignInPage.path || monitor?.answers(path) == true }

    package func respond(to request: RawRequest) -> Work {
        // The hot paths begin with /database or /device: one byte tells.
        guard request.target.utf8.dropFirst().first != UInt8(ascii: "d") else { return next.respond(to: request) }
        let path = request.path
        if path == SignInPage.path { return .answer(SignInPage.answer()) }
        return monitor?.respond(to: request, path) ?? next.respond(to: request)
    }
}

/// Answers 404 to everything: what stands at the end of a chain of responders.
package struct NothingHere: Responder {
    package init() {}

    package func reception(of head: RawRequest, bodyBytes: Int?) -> Reception { .unread { respond(to: $0) } }

    package func respond(to request: RawRequest) -> Work {
        .answer(RawResponse(404, .notFound, "No handler was found for this endpoint.", id: request.id))
    }
}
