import Audience
import CloudKitWire
import NephosDomain
import NephosStorage

/// The groups of a content type, prepared for requests: a version of them, which a request compares with the stored version.
final class PickDirectory: Sendable {
    /// A group with its prepared condition.
    struct Group: Sendable {
        let row: PickGroupRow
        /// nil for everybody.
        let condition: Condition?
        /// Whether its records are evaluated one by one.
        var isShared: Bool { row.group == PickGroupRow.shared }
    }

    let index: PickIndexRow
    /// Ordered by number.
    let groups: [Group]
    /// Whether access depends on roles.
    let asksForRoles: Bool
    /// The maximum number of conditions needed to evaluate all groups.
    let steps: Int
    /// The audiences that conditions name.
    private let audiences: AudienceBook
    /// The version of the catalog.
    private let version: Int64
    /// When a condition changes without an edit, so that everything is prepared again; nil for never.
    private let edge: Milliseconds?

    /// - Throws: If the settings cannot be read.
    init(
        _ index: PickIndexRow, _ rows: [PickGroupRow], _ catalog: Catalog, now: Milliseconds
    ) throws(SectionFailure) {
        let audiences = try catalog.audiences().prepared(at: now)
        (self.index, self.audiences, version) = (index, audiences, catalog.version)
        groups = rows.map { row in
            do throws(WireError) {
                return Group(row: row, condition: try AudienceText.condition(row.key.audience)?.prepared(at: now))
            } catch {
                // An unreadable audience should only occur in the unreadable state; in case it does not, its records are for
                // nobody.
                return Group(row: row, condition: .newer("unreadable"))
            }
        }
        let conditions = groups.compactMap(\.condition)
        edge = conditions.compactMap { audiences.nextEdge(of: $0, after: now) }.min()
        steps = conditions.reduce(groups.count) { $0 + audiences.steps(of: $1) }
        asksForRoles =
            rows.contains { $0.key.access.contains { $0.hasPrefix("role:") } }
            // An audience of the settings may depend on roles.
            || conditions.contains { $0.asks { if case .role = $0 { true } else { $0.isNamed } } }
    }

    /// Whether it is the stored version at a given time.
    func holds(_ index: PickIndexRow, _ catalog: Catalog, at now: Milliseconds) -> Bool {
        self.index.version == index.version && version == catalog.version && edge.map { now < $0 } ?? true
    }

    /// When access may change next without an edit; nil for never.
    var changesAt: Milliseconds? {
        let next = min(index.moment, edge ?? PickItemRow.never)
        return next == PickItemRow.never ? nil : next
    }

    /// Why somebody may not have a record with these properties; nil if they may.
    func denial(_ access: [String], _ condition: Condition?, for caller: PickCaller) -> PickExclusions.Reason? {
        guard access.isEmpty || access.contains(where: caller.proofs.contains) else { return .access }
        guard let condition else { return nil }
        switch audiences.verdict(of: condition, for: caller.context) {
        case .yes: return nil
        case .unknown(.missingAudience): return .unreadable
        case .unknown: return .audience
        case .no:
            return switch audiences.miss(of: condition, for: caller.context) {
            case .locale: .locale
            case .version: .version
            case .platform: .platform
            case .other: .audience
            }
        }
    }
}

/// The person or device for which content is picked, and from which collections.
struct PickCaller: Sendable {
    let context: EvaluationContext
    /// Proved words (``ContentType/isProof(_:)``).
    let proofs: Set<String>
    /// Empty for all.
    let collections: Set<Bytes>

    func wants(_ collection: Bytes) -> Bool { collections.isEmpty || collections.contains(collection) }
}

/// How many of the requested records are not available, and why: each counts once, for its first reason.
struct PickExclusions: Sendable, Equatable {
    enum Reason: String, Sendable, CaseIterable {
        case early, ended, locale, version, access, unreadable
        /// These are left out of a response if their count is zero.
        case platform, audience

        var isHidden: Bool { [.early, .ended, .access, .unreadable].contains(self) }
    }

    private var counts: [Reason: Int64] = [:]

    subscript(_ reason: Reason) -> Int64 {
        get { counts[reason] ?? 0 }
        set { counts[reason] = newValue }
    }

    /// - Parameter withHidden: Whether reasons are written for which records are hidden from queries, too. How many there are is
    ///   only for callers that see all of them.
    func write(to json: inout JSONWriter, withHidden: Bool) {
        json.beginObject()
        for reason in Reason.allCases
        where (self[reason] > 0 || ![.platform, .audience].contains(reason)) && (withHidden || !reason.isHidden) {
            json.key(named: Name(reason.rawValue))
            json.int64(self[reason])
        }
        json.endObject()
    }
}
