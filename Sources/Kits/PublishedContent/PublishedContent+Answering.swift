import Foundation
import KitSupport

extension PublishedContent {
    /// - Parameter device: The position at which a result from the cache continues.
    func answer(_ request: ContentRequest, device: String? = nil) async throws(ContentFault) -> ContentAnswer {
        if mode.isCacheFirst, let answer = kept(request, after: device), !answer.items.isEmpty { return answer }
        do throws(ContentFault) { return try await asked(request) } catch {
            // An invalid position is for the caller to handle.
            guard error.kind != .cancelled, !error.isOfPlace(request) else { throw error }
            guard var answer = kept(request, after: device) else { throw error }
            answer.fault = error
            return answer
        }
    }

    // MARK: From the cache

    /// A result built from cached content; nil if nothing is cached.
    private func kept(_ request: ContentRequest, after: String?) -> ContentAnswer? {
        let items = keptItems()
        guard !items.isEmpty else { return nil }
        var (request, choice) = (request, LocalChoice(type))
        (request.after, choice.isEvaluated) = (after, true)
        var answer = choice.answer(request, from: items, now: clock.now())
        answer.isFromCache = true
        // The items used for selection have only some of their fields.
        answer.items = answer.items.compactMap { keptItem($0.id) }
        return answer
    }

    /// The cached items with only the fields that control selection, so that a widget does not hold all content in memory.
    func keptItems() -> [ContentItem] {
        let named = Set(type.choosing)
        return cache.keys(CacheKey.items(source.name, type.name)).compactMap { key in
            guard var item = cache.value(ContentItem.self, key, isUse: false) else { return nil }
            item.fields = item.fields.filter { named.contains($0.key) }
            return item
        }
    }

    private func keptItem(_ id: String) -> ContentItem? { cache.value(ContentItem.self, key(id)) }

    func key(_ id: String) -> CacheKey { .item(source.name, type.name, id) }

    // MARK: From the source

    private func asked(_ request: ContentRequest) async throws(ContentFault) -> ContentAnswer {
        var tagged = request
        let known = known(request)
        tagged.tag = known?.tag
        switch try await fetch(tagged) {
        case .answer(let answer):
            keep { () throws(ContentFault) in
                try prune(answer, request)
                for item in answer.items { try cache.write(item.kept, key(item.id)) }
                try remember(answer, request)
            }
            return answer
        case .unchanged:
            if let known { return known }
            throw ContentFault(.unreadable, "the source answered that nothing has changed, but the request had no tag")
        }
    }

    func fetch(_ request: ContentRequest) async throws(ContentFault) -> ContentFetch {
        try await limited { [source] () throws(ContentFault) in try await source.fetch(request) }
    }

    /// A list of the newest is complete as far as it reaches: a cached item within its range that is missing from it was withdrawn
    /// or is for others now.
    func prune(_ answer: ContentAnswer, _ request: ContentRequest) throws(ContentFault) {
        guard request.order == .newest, request.after == nil, answer.unreadable == 0 else { return }
        var end = Date.distantPast
        if answer.after != nil {
            guard let last = answer.items.last?[type.publishedAt]?.date else { return }
            end = last
        }
        let ids = Set(answer.items.map(\.id))
        let gone = keptItems().filter { item in
            let isAsked =
                request.collections.isEmpty || request.collections.contains(item[type.collection]?.string ?? "")
            return isAsked && !ids.contains(item.id) && item[type.publishedAt]?.date ?? .distantFuture > end
        }
        try cache.remove(gone.map { key($0.id) })
    }

    // MARK: Known responses

    private func noteKey(_ request: ContentRequest) -> CacheKey? {
        guard request.after == nil, request.order == .newest || request.seed != nil else { return nil }
        let words = [type.name, "\(request.order)", "\(request.count)", request.seed ?? ""] + request.collections
        let audience = request.audience.parameters.map { "\($0.name)=\($0.value)" }
        return .note("answer", source.name, (words + audience).joined(separator: "\n"))
    }

    /// The last response to the same request, if all of its items are cached.
    private func known(_ request: ContentRequest) -> ContentAnswer? {
        guard let key = noteKey(request), let note = cache.value(KeptAnswer.self, key) else { return nil }
        let items = note.items.compactMap { keptItem($0) }
        guard items.count == note.items.count else { return nil }
        var answer = ContentAnswer(items, eligible: note.eligible, why: note.why)
        (answer.changesAt, answer.after, answer.tag) = (note.changesAt, note.after, note.tag)
        return answer
    }

    private func remember(_ answer: ContentAnswer, _ request: ContentRequest) throws(ContentFault) {
        guard let tag = answer.tag, answer.unreadable == 0, let key = noteKey(request) else { return }
        let note = KeptAnswer(
            items: answer.items.map(\.id), eligible: answer.eligible, why: answer.why, changesAt: answer.changesAt,
            after: answer.after, tag: tag)
        try cache.write(note, key)
    }
}

extension ContentFault {
    /// Whether the cause may be that the source no longer knows the position of the last response. A refusal with `retryAfter` is
    /// not about the position.
    func isOfPlace(_ request: ContentRequest) -> Bool {
        kind == .refused && retryAfter == nil && request.after != nil
    }
}
