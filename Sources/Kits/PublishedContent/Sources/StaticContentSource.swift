public import Foundation
import NephosTransport

/// Fixed content for a test, a preview or an app without a server. Audiences are evaluated as a server does it.
public final class StaticContentSource: ContentSource {
    public let name: String
    private let state: Locked<State>
    private let now: @Sendable () -> Date

    private struct State {
        var items: [ContentItem]
        /// By checksum.
        var files: [String: Data]
        var fault: ContentFault?
        var requests: [ContentRequest] = []
        var downloads: [String] = []
        var publications: [Publication] = []
    }

    /// - Parameters:
    ///   - files: The contents of files, by checksum.
    ///   - now: The clock that determines which items are shown.
    public init(
        _ items: [ContentItem] = [], files: [String: Data] = [:], name: String = "static",
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        (self.name, self.now) = (name, now)
        state = Locked(State(items: items, files: files))
    }

    // MARK: Controls for tests

    public var items: [ContentItem] {
        get { state.value.items }
        set { state.withLock { $0.items = newValue } }
    }

    /// Makes every call fail with this error from now on; nil to succeed again.
    public func fail(with fault: ContentFault?) { state.withLock { $0.fault = fault } }

    /// The requests received so far, in order.
    public var requests: [ContentRequest] { state.value.requests }
    /// The files downloaded so far, as item and field name: `ghost.preview`.
    public var downloads: [String] { state.value.downloads }
    public var publications: [Publication] { state.value.publications }

    // MARK: The source

    public func fetch(_ request: ContentRequest) async throws(ContentFault) -> ContentFetch {
        let (items, fault) = state.withLock { state in
            state.requests.append(request)
            return (state.items.filter { $0.type == request.type.name }, state.fault)
        }
        if let fault { throw fault }
        return .answer(LocalChoice(request.type).answer(request, from: items, now: now()))
    }

    public func download(
        _ field: String, of item: ContentItem, to file: URL, bytesMax: Int64
    ) async throws(ContentFault) {
        let (files, fault) = state.withLock { state in
            state.downloads.append("\(item.id).\(field)")
            return (state.files, state.fault)
        }
        if let fault { throw fault }
        guard let checksum = item[field]?.file?.checksum, let bytes = files[checksum] else {
            throw ContentFault(.notFound, "\(item.id) has no file \(field)")
        }
        guard bytes.count <= bytesMax else { throw ContentFault(.tooLarge, "the file has more than \(bytesMax) bytes") }
        do { try bytes.write(to: file) } catch { throw ContentFault(.notStored, "\(error)") }
    }

    /// Records the publication and changes the item.
    public func publish(_ publication: Publication) async throws(ContentFault) {
        let (now, type) = (now(), publication.type)
        let fault: ContentFault? = state.withLock { state in
            if let fault = state.fault { return fault }
            guard let place = state.items.firstIndex(where: { $0.id == publication.item }) else {
                return ContentFault(.notAllowed, "there is no record \(publication.item)")
            }
            state.publications.append(publication)
            switch publication.start {
            case .now: state.items[place][type.publishedAt] = .date(now)
            case .at(let date): state.items[place][type.publishedAt] = .date(date)
            case .never: state.items[place][type.publishedAt] = nil
            }
            state.items[place][type.until] = publication.until.map { .date($0) }
            switch publication.audience {
            case .unchanged: break
            case .everybody: state.items[place][type.audience] = nil
            case .condition(let text): state.items[place][type.audience] = .string(text)
            }
            return nil
        }
        if let fault { throw fault }
    }
}
