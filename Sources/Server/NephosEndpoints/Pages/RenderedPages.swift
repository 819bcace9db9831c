import NephosRunner
import Synchronization

/// Renders each page of the documentation when it is first requested, once, on a thread that may block. Requests for a page that is
/// being rendered wait for it without a thread, and those for other pages do not wait: nothing is locked meanwhile.
final class RenderedPages: Sendable {
    private typealias Asker = @Sendable (Work) -> Void

    /// By the names of pages.
    private struct Pages {
        var ready: [String: RawResponse] = [:]
        /// The other requests that wait for a page that is being rendered.
        var waiting: [String: [Asker]] = [:]
    }

    private let pages = Mutex(Pages())
    private let render: @Sendable (Documents.Document) -> RawResponse

    init(_ render: @escaping @Sendable (Documents.Document) -> RawResponse = { Documents.render($0) }) {
        self.render = render
    }

    /// Responds to a request for a page.
    func work(for document: Documents.Document) -> Work {
        .later { [self] done in
            let work = pages.withLock { pages -> Work? in
                if let response = pages.ready[document.name] { return .answer(response) }
                if pages.waiting[document.name]?.append(done) != nil { return nil }
                pages.waiting[document.name] = []
                return .blocking { .answer(self.rendered(document)) }
            }
            if let work { done(work) }
        }
    }

    private func rendered(_ document: Documents.Document) -> RawResponse {
        let response = render(document)
        let askers = pages.withLock { pages in
            pages.ready[document.name] = response
            return pages.waiting.removeValue(forKey: document.name) ?? []
        }
        for asker in askers { asker(.answer(response)) }
        return response
    }
}
