import Audience
import CloudKitWire
import Foundation

extension LocalChoice {
    /// Adds an item to those that match, or counts why it does not.
    func evaluate(_ item: ContentItem, _ context: EvaluationContext, _ fitting: inout Fitting) {
        guard let start = start(item) else { return }
        let (condition, every): (Condition?, Recurrence?)
        do throws(WireError) {
            condition = try Self.condition(item[type.audience]?.string)
            every = try Self.recurrence(item[type.every]?.string)
        } catch {
            // A server may understand conditions that an older app does not.
            if isEvaluated { fitting.items.append(item) } else { fitting.why.unreadable += 1 }
            return
        }
        let now = context.now
        if let end = item[type.until]?.date?.milliseconds {
            guard end > now else {
                fitting.why.ended += 1
                return
            }
            fitting.note(end, after: now)
        }
        fitting.note(start, after: now)
        fitting.note(every?.nextEdge(after: now), after: now)
        fitting.note(condition.flatMap { audiences.nextEdge(of: $0, after: now) }, after: now)
        if start > now || !(every?.contains(now) ?? true) {
            fitting.why.early += 1
        } else if let reason = miss(item, condition, context) {
            fitting.why[keyPath: reason] += 1
        } else {
            fitting.items.append(item)
        }
    }

    private func miss(
        _ item: ContentItem, _ condition: Condition?, _ context: EvaluationContext
    ) -> WritableKeyPath<ContentWhy, Int>? {
        let access = item[type.access]?.list?.compactMap(\.string) ?? []
        guard isEvaluated || access.isEmpty || access.contains(where: proofs.contains) else { return \.access }
        guard let condition else { return nil }
        switch audiences.verdict(of: condition, for: context) {
        case .yes: return nil
        case .unknown where isEvaluated: return nil
        case .unknown(.missingAudience): return \.unreadable
        case .unknown: return \.audience
        case .no:
            return switch audiences.miss(of: condition, for: context) {
            case .locale: \.locale
            case .version: \.version
            case .platform: \.platform
            // Only a server knows roles, facts and users.
            case .other: isEvaluated ? nil : \.audience
            }
        }
    }

    /// The condition in an audience field; nil for everybody.
    static func condition(_ text: String?) throws(WireError) -> Condition? {
        guard let text, let first = text.first(where: { $0 != " " }) else { return nil }
        guard first == "{" else { return .audience(text) }
        var json = try JSONReader(Array(text.utf8)[...])
        // The same salt as at a server.
        var reader = ConditionReader(salt: text)
        let condition = try reader.read(&json)
        try json.finish()
        return condition
    }

    private static func recurrence(_ text: String?) throws(WireError) -> Recurrence? {
        guard let text, !text.isEmpty else { return nil }
        var json = try JSONReader(Array(text.utf8)[...])
        let recurrence = try Recurrence(&json)
        try json.finish()
        return recurrence
    }
}
