import Audience
import CloudKitWire
import NephosDomain
import NephosStorage

/// The groups of a type of content, made ready to be asked: one version of them, which a request compares with that which is stored.
final class PickDirectory: Sendable {
    /// One of them.
    struct Group: Sendable {
        let row: PickGroupRow
        /// nil for everybody.
        let condition: Condition?
        /// Whether records of it are judged one by one.
        var isShared: Bool { row.group == PickGroupRow.shared }
    }

    let index: PickIndexRow
    /// In the order of their numbers.
    let groups: [Group]
    /// Whether what somebody may have depends on their roles.
    let asksForRoles: Bool
    /// Conditions that judging by all takes at most.
    let steps: Int
    /// Those that conditions name.
    private let audiences: AudienceBook
    /// Of the catalog that these are of.
    private let version: Int64
    /// When a condition changes by time alone, and all is made ready anew; nil for never.
    private let edge: Milliseconds?

    /// - Throws: Where the settings cannot be read.
    init(
        _ index: PickIndexRow, _ rows: [PickGroupRow], _ catalog: Catalog, now: Milliseconds
    ) throws(SectionFailure) {
        let audiences = try catalog.audiences().prepared(at: now)
        (self.index, self.audiences, version) = (index, audiences, catalog.version)
        groups = rows.map { row in
            do throws(WireError) {
                return Group(row: row, condition: try AudienceText.condition(row.key.audience)?.prepared(at: now))
            } catch {
                // What cannot be read is in no group but as unreadable; should it be, it is for nobody.
                return Group(row: row, condition: .newer("unreadable"))
            }
        }
        let conditions = groups.compactMap(\.condition)
        edge = conditions.compactMap { audiences.nextEdge(of: $0, after: now) }.min()
        steps = conditions.reduce(groups.count) { $0 + audiences.steps(of: $1) }
        asksForRoles =
            rows.contains { $0.key.access.contains { $0.hasPrefix("role:") } }
            // An audience of the settings may ask for one.
            || conditions.contains { $0.asks { if case .role = $0 { true } else { $0.isNamed } } }
    }

    /// Whether it is what is stored, at a moment.
    func holds(_ index: PickIndexRow, _ catalog: Catalog, at now: Milliseconds) -> Bool {
        self.index.version == index.version && version == catalog.version && edge.map { now < $0 } ?? true
    }

    /// When time alone may change what somebody may have; nil for never.
    var changesAt: Milliseconds? {
        let next = min(index.moment, edge ?? PickItemRow.never)
        return next == PickItemRow.never ? nil : next
    }

    /// Why somebody may not have what says this; nil where they may.
    func denial(_ access: [String], _ condition: Condition?, for asker: PickAsker) -> PickWhy.Reason? {
        guard access.isEmpty || access.contains(where: asker.proofs.contains) else { return .access }
        guard let condition else { return nil }
        switch audiences.verdict(of: condition, for: asker.context) {
        case .yes: return nil
        case .unknown(.missingAudience): return .unreadable
        case .unknown: return .audience
        case .no:
            return switch audiences.miss(of: condition, for: asker.context) {
            case .locale: .locale
            case .version: .version
            case .platform: .platform
            case .other: .audience
            }
        }
    }
}

/// Whom content is picked for, and of what.
struct PickAsker: Sendable {
    let context: EvaluationContext
    /// Words that are proved (``ContentType/isProof(_:)``).
    let proofs: Set<String>
    /// Empty for all.
    let collections: Set<Bytes>

    func wants(_ collection: Bytes) -> Bool { collections.isEmpty || collections.contains(collection) }
}

/// How many records of those that were asked for are out of reach, and why: each counts once, by what comes first.
struct PickWhy: Sendable, Equatable {
    enum Reason: String, Sendable, CaseIterable {
        case early, ended, locale, version, access, unreadable
        /// These are left out of an answer where there is none.
        case platform, audience
    }

    private var counts: [Reason: Int64] = [:]

    subscript(_ reason: Reason) -> Int64 {
        get { counts[reason] ?? 0 }
        set { counts[reason] = newValue }
    }

    func write(to json: inout JSONWriter) {
        json.beginObject()
        for reason in Reason.allCases where self[reason] > 0 || ![.platform, .audience].contains(reason) {
            json.key(named: Name(reason.rawValue))
            json.int64(self[reason])
        }
        json.endObject()
    }
}
