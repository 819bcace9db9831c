public import Foundation
package import KitSupport
import NephosTransport

/// Content that an app and its widget show: fetched from a source, cached on the device, and available offline.
///
///     let content = PublishedContent(ContentType("Chibi"), source: source, cache: cache)
///     let answer = try await content.next(count: 1)
///     if let chibi = answer.items.first { … } else { … nothing fits: answer.why … }
///
/// If a request fails, the result is built from the cache and marked as such; it is an error only if nothing is cached.
public final class PublishedContent: Sendable {
    public let type: ContentType
    public let source: any ContentSource
    public let cache: ContentCache
    public let mode: Mode
    let clock: RefreshClock
    private let state: Locked<State>
    private let line = WaitingLine()

    private struct State {
        var audience: ContentAudience
        var problem: ContentFault?
    }

    /// - Parameters:
    ///   - audience: The audience that content is requested for.
    ///   - mode: `.extension` in a widget.
    public convenience init(
        _ type: ContentType, source: any ContentSource, cache: ContentCache, audience: ContentAudience = .current,
        mode: Mode = .app
    ) {
        self.init(type, source, cache, audience, mode, clock: .system)
    }

    package init(
        _ type: ContentType, _ source: any ContentSource, _ cache: ContentCache,
        _ audience: ContentAudience = ContentAudience(), _ mode: Mode = .app, clock: RefreshClock
    ) {
        (self.type, self.source, self.cache, self.mode, self.clock) = (type, source, cache, mode, clock)
        state = Locked(State(audience: audience))
    }

    /// The audience that content is requested for from now on.
    public var audience: ContentAudience {
        get { state.withLock { $0.audience } }
        set { state.withLock { $0.audience = newValue } }
    }

    /// Why received content could not be cached the last time; nil if it was. The content itself was returned all the same.
    public var cacheProblem: ContentFault? { state.withLock { $0.problem } }

    // MARK: Requests

    /// The newest items.
    ///
    /// - Parameter collections: Only of these; empty for all.
    public func newest(count: Int = 10, in collections: [String] = []) async throws(ContentFault) -> ContentAnswer {
        try await answer(request(.newest, count, collections))
    }

    /// Some random items.
    ///
    /// - Parameter seed: The same seed gives the same items (``ContentRequest/seed(person:day:in:)``); nil for random ones.
    public func pick(
        count: Int = 1, seed: String? = nil, in collections: [String] = []
    ) async throws(ContentFault) -> ContentAnswer {
        var request = request(.picked, count, collections)
        request.seed = seed
        return try await answer(request)
    }

    /// Some random items without repeats until all were returned; this continues across launches and in the widget.
    public func next(count: Int = 1, in collections: [String] = []) async throws(ContentFault) -> ContentAnswer {
        let place = CacheKey.note("round", source.name, ([type.name] + collections).joined(separator: "\n"))
        let known = cache.value(KeptRound.self, place) ?? KeptRound()
        var request = request(.picked, count, collections)
        request.after = known.after
        let answer: ContentAnswer
        do throws(ContentFault) { answer = try await self.answer(request, device: known.device) } catch {
            // Positions in a server's order become invalid when its settings change: begin again.
            guard error.isOfPlace(request) else { throw error }
            request.after = nil
            answer = try await self.answer(request, device: known.device)
        }
        var round = known
        if answer.isFromCache { round.device = answer.after } else { round.after = answer.after }
        keep { () throws(ContentFault) in if round != known { try cache.write(round, place) } }
        return answer
    }

    func request(_ order: ContentRequest.Order, _ count: Int, _ collections: [String]) -> ContentRequest {
        var request = ContentRequest(type, order, count: count)
        (request.collections, request.audience, request.bytesMax) = (collections, audience, mode.answerBytesMax)
        return request
    }

    // MARK: Files

    /// A file of an item on this device: from the cache, or downloaded. It becomes the most recently used entry; another process
    /// may still evict it, so open or copy it soon. An open file can be read to its end.
    public func file(_ field: String, of item: ContentItem) async throws(ContentFault) -> URL {
        guard let file = item[field]?.file else {
            throw ContentFault(.notFound, "\(item.id) has no file \(field)")
        }
        let key = CacheKey.file(source.name, item, field, file)
        if let url = cache.file(key, size: file.size) { return url }
        guard file.size <= mode.fileBytesMax else {
            throw ContentFault(
                .tooLarge, "\(field) of \(item.id) has \(file.size) bytes, more than the limit of \(mode.fileBytesMax)")
        }
        return try await cache.adopt(key, size: file.size) { url throws(ContentFault) in
            try await limited { [source] () throws(ContentFault) in
                try await source.download(field, of: item, to: url, bytesMax: file.size)
            }
        }
    }

    // MARK: Implementation

    /// Runs an operation that uses the network within the limits of the mode.
    func limited<Value: Sendable>(
        _ body: @escaping @Sendable () async throws(ContentFault) -> Value
    ) async throws(ContentFault) -> Value {
        let timely: @Sendable () async -> Result<Value, ContentFault> = { [mode, clock] in
            await Deadline.result(within: mode.timeout, clock, body)
        }
        return try await (mode.isOneAtATime ? line.wait(for: timely) : timely()).get()
    }

    /// Runs an operation that stores something; a failure is recorded and not thrown.
    func keep(_ body: () throws(ContentFault) -> Void) {
        var problem: ContentFault?
        do throws(ContentFault) { try body() } catch { problem = error }
        state.withLock { [problem] in $0.problem = problem }
    }
}
