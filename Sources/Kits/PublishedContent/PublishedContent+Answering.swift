import Foundation
import KitSupport

extension PublishedContent {
    /// - Parameter device: Where an answer out of the cache goes on.
    func answer(_ request: ContentRequest, device: String? = nil) async throws(ContentFault) -> ContentAnswer {
        if mode.isCacheFirst, let answer = kept(request, after: device), !answer.items.isEmpty { return answer }
        do throws(ContentFault) { return try await asked(request) } catch {
            // A place in an order that is no more is for who asked to see.
            guard error.kind != .cancelled, !error.isOfPlace(request) else { throw error }
            guard var answer = kept(request, after: device) else { throw error }
            answer.fault = error
            return answer
        }
    }

    // MARK: Out of the cache

    /// An answer that is made of what is kept; nil where nothing is.
    private func kept(_ request: ContentRequest, after: String?) -> ContentAnswer? {
        let items = keptItems()
        guard !items.isEmpty else { return nil }
        var (request, choice) = (request, LocalChoice(type))
        (request.after, choice.isJudged) = (after, true)
        var answer = choice.answer(request, from: items, now: clock.now())
        answer.isFromCache = true
        // What was chosen by is not the whole of them.
        answer.items = answer.items.compactMap { keptItem($0.id) }
        return answer
    }

    /// Those that are kept, with the fields alone that say when and for whom: so a widget has not all in memory at once.
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
            throw ContentFault(.unreadable, "the source says that nothing has changed, and was not asked that")
        }
    }

    func fetch(_ request: ContentRequest) async throws(ContentFault) -> ContentFetch {
        try await limited { [source] () throws(ContentFault) in try await source.fetch(request) }
    }

    /// The newest are all there is as far as they go: what is kept and not among them was withdrawn, or is for others now.
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

    // MARK: What a source need not send again

    private func noteKey(_ request: ContentRequest) -> CacheKey? {
        guard request.after == nil, request.order == .newest || request.seed != nil else { return nil }
        let words = [type.name, "\(request.order)", "\(request.count)", request.seed ?? ""] + request.collections
        let audience = request.audience.parameters.map { "\($0.name)=\($0.value)" }
        return .note("answer", source.name, (words + audience).joined(separator: "\n"))
    }

    /// The last answer to the same, where all of it is kept.
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
    /// Whether it may be that the source does not know any more where the last answer ended. Who is told to come again later was understood.
    func isOfPlace(_ request: ContentRequest) -> Bool {
        kind == .refused && retryAfter == nil && request.after != nil
    }
}
