import NephosRunner
import Synchronization

/// Renders each page of the documentation when it is first requested, once, on a thread that may block. Requests for a page that is
/// being rendered wait for it without a thread, and those for other pages do not wait: nothing is locked meanwhile.
final class RenderedPages: Sendable {
    private typealias Asker = @Sendable (Work) -> Void

    private enum Page {
        /// With the other requests that wait for it.
        case rendering([Asker])
        case ready(RawResponse)
    }

    private let pages = Mutex<[String: Page]>([:])
    private let render: @Sendable (Documents.Document) -> RawResponse

    init(_ render: @escaping @Sendable (Documents.Document) -> RawResponse = { Documents.render($0) }) {
        self.render = render
    }

    /// Responds to a request for a page.
    func work(for document: Documents.Document) -> Work {
        .later { [self] done in
            let work = pages.withLock { pages -> Work? in
                switch pages[document.name] {
                case .ready(let answer): return .answer(answer)
                case .rendering(let askers):
                    pages[document.name] = .rendering(askers + [done])
                    return nil
                case nil:
                    pages[document.name] = .rendering([])
                    return .blocking { .answer(self.rendered(document)) }
                }
            }
            if let work { done(work) }
        }
    }

    private func rendered(_ document: Documents.Document) -> RawResponse {
        let answer = render(document)
        let askers = pages.withLock { pages -> [Asker] in
            defer { pages[document.name] = .ready(answer) }
            if case .rendering(let askers) = pages[document.name] { return askers }
            return []
        }
        for asker in askers { asker(.answer(answer)) }
        return answer
    }
}
