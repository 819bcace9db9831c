import CloudKitWire
package import NephosRunner

/// The pages that every server has in addition to its endpoints.
///
/// - `/`: what this is, whether it is healthy, and how to begin (``FrontPage``).
/// - `/docs/NAME`: the documentation compiled into the program; `/docs`, `/docs/README` and `/docs/NAME.md` lead there.
/// - `/sign-in`: where a 421 sends people, unless a feature has that page.
/// - Those of features.
/// - Those of a ``Monitor``, if this server has them at this address.
package struct PagesResponder: Pages {
    private let monitor: Monitor
    private let hasMonitor: Bool
    private let front: FrontPage
    private let documents: RenderedPages
    private let others: [Substring: SitePage]

    /// - Parameters:
    ///   - monitor: Checks whether the server is healthy.
    ///   - hasMonitor: Whether its pages are served here; otherwise they have their own address.
    ///   - others: Those of features, which take precedence over all but the monitor's.
    package init(monitor: Monitor, hasMonitor: Bool, front: FrontPage, others: [SitePage] = []) {
        self.monitor = monitor
        self.hasMonitor = hasMonitor
        self.front = front
        documents = RenderedPages { [base = front.base] in Documents.render($0, below: base) }
        self.others = Dictionary(uniqueKeysWithValues: others.map { ($0.path[...], $0) })
    }

    package func bodyMode(of head: RawRequest, bodyBytes: Int?) -> RequestBodyMode {
        if let other = others[head.path] { return other.bodyMode(bodyBytes: bodyBytes) }
        return .unread { respond(to: $0) }
    }

    package func has(_ path: Substring) -> Bool {
        // The first of them is requested all the time.
        hasMonitor && monitor.answers(path) || path == FrontPage.path || path == SignInPage.path
            || Documents.answers(path) || others[path] != nil
    }

    package func respond(to request: RawRequest) -> Work {
        let path = request.path
        if hasMonitor, let work = monitor.respond(to: request, path) { return work }
        if let other = others[path] { return other.respond(to: request) }
        if path == SignInPage.path { return .answer(SignInPage.answer()) }
        return page(for: request, at: String(path))
    }

    private func page(for request: RawRequest, at path: String) -> Work {
        guard request.method == .get || request.method == .head else {
            var refusal = RawResponse(
                405, .badRequest, "This page supports GET and HEAD only.", id: request.id, endpoint: "page")
            refusal.headers.append(("Allow", "GET, HEAD"))
            return .answer(refusal)
        }
        guard path == FrontPage.path else {
            if let document = Documents.document(at: path) { return documents.work(for: document) }
            return Documents.redirect(from: path, below: front.base).map { .answer($0) }
                ?? NothingHere().respond(to: request)
        }
        return monitor.answerKnowingHealth { [front] in front.answer(to: request, isHealthy: $0) }
    }
}

/// Responds to everything with 404: the end of a chain of responders.
package struct NothingHere: Responder {
    package init() {}

    package func bodyMode(of head: RawRequest, bodyBytes: Int?) -> RequestBodyMode { .unread { respond(to: $0) } }

    package func respond(to request: RawRequest) -> Work {
        .answer(RawResponse(404, .notFound, "No handler was found for this endpoint.", id: request.id))
    }
}
