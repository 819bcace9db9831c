import Audience
import CloudKitWire
package import Foundation

/// The selection that a server makes, made on the device: from complete records, and from cached content.
package struct LocalChoice: Sendable {
    /// The audiences that conditions refer to by name.
    var audiences = AudienceBook.empty
    /// Proofs known for the user: `signedIn`.
    package var proofs: Set<String> = []
    /// The name of the signed-in user's record.
    package var person: String?
    /// Whether a server has already evaluated the audience of the items; conditions that cannot be evaluated here then match.
    package var isEvaluated = false
    let type: ContentType

    package init(_ type: ContentType) { self.type = type }

    /// - Parameter audiences: As JSON, as under `audiences` of a container's settings.
    /// - Throws: `refused` if it is not valid.
    package init(_ type: ContentType, audiences: String?) throws(ContentFault) {
        self.type = type
        guard let audiences else { return }
        do throws(WireError) {
            var json = try JSONReader(Array(audiences.utf8)[...])
            self.audiences = try AudienceBook(&json)
            try json.finish()
        } catch {
            throw ContentFault(.refused, "the app's own audiences cannot be read: \(error)")
        }
    }

    /// The items that match now, and why the others do not.
    struct Fitting {
        var items: [ContentItem] = []
        var why = ContentWhy()
        var changesAt: Int64?

        /// - Parameter time: When the result may change.
        mutating func note(_ time: Int64?, after now: Int64) {
            guard let time, time > now else { return }
            changesAt = min(changesAt ?? .max, time)
        }
    }

    /// - Parameter random: Used for requests without a seed.
    package func answer(
        _ request: ContentRequest, from items: [ContentItem], now: Date, random: UInt64 = .random(in: 0 ... .max)
    ) -> ContentAnswer {
        let fitting = fitting(request, items, now.milliseconds)
        var answer = ContentAnswer(eligible: fitting.items.count)
        if fitting.items.isEmpty { answer.why = fitting.why }
        answer.changesAt = fitting.changesAt.map { Date(milliseconds: $0) }
        switch request.order {
        case .newest: (answer.items, answer.after) = newest(fitting.items, request)
        case .picked:
            var round = LocalRound(request.after) ?? LocalRound(seed: request.seed.map(LocalRound.number) ?? random)
            answer.items = round.next(request.count, of: fitting.items) { weight($0) }
            answer.after = fitting.items.isEmpty ? nil : round.text
        }
        return answer
    }

    func fitting(_ request: ContentRequest, _ items: [ContentItem], _ now: Int64) -> Fitting {
        var fitting = Fitting()
        var context = request.audience.context(now: Date(milliseconds: now))
        context.person = person
        context.targetingKey = person ?? context.targetingKey
        for item in items {
            let collection = item[type.collection]?.string ?? ""
            guard request.collections.isEmpty || request.collections.contains(collection) else { continue }
            evaluate(item, context, &fitting)
        }
        return fitting
    }

    func weight(_ item: ContentItem) -> Int64 { item[type.weight]?.integer ?? 1 }

    /// When the item was published; cached items may lack this.
    func start(_ item: ContentItem) -> Int64? {
        item[type.publishedAt]?.date?.milliseconds ?? (isEvaluated ? Int64.min : nil)
    }

    private func newest(_ items: [ContentItem], _ request: ContentRequest) -> ([ContentItem], after: String?) {
        var sorted = items.map { (start: start($0) ?? .min, item: $0) }
            .sorted { ($1.start, $0.item.id) < ($0.start, $1.item.id) }
        if let place = LocalPlace(request.after) {
            sorted.removeAll { ($0.start, place.id) > (place.start, $0.item.id) || $0.item.id == place.id }
        }
        let page = sorted.prefix(max(request.count, 0))
        let isEnd = page.count == sorted.count
        return (page.map(\.item), page.last.flatMap { isEnd ? nil : LocalPlace(start: $0.start, id: $0.item.id).text })
    }
}
