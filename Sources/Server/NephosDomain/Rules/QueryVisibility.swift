package import CloudKitWire
package import NephosStorage

/// What a query shows of a type, before it is known which roles the caller holds: they are read in the same snapshot
/// as the records, since membership is never remembered.
///
/// Mostly there is only one possibility. There are more where something is granted to a role of the container's own and not
/// to everybody. A query then asks for a page of each and answers the one that turns out to hold. Where records ask for roles by name there
/// would be one for each set of them, so the caller's are read before (``rolesFirst``).
package struct QueryVisibility {
    /// To be read along.
    package let memberships: [UserID]
    /// What may come out. What shows nothing is not listed: it needs no page.
    let possible: [Visibility]
    private let context: RequestContext
    private let type: RecordType
    private let roles: [Int64]?

    /// - Parameter roles: The caller's own, where they were read before.
    package init(_ context: RequestContext, type: RecordType, roles: [Int64]? = nil) {
        self.context = context
        self.type = type
        self.roles = roles
        let asked = context.memberships(for: [type])
        if let roles {
            memberships = asked
            possible = [Visibility(context, type: type, roles: roles)].filter { $0.extent != .none }
            return
        }
        var found = [Visibility(context, type: type, roles: [])]
        if let all = asked.isEmpty ? nil : type.ownRoles {
            // Whatever several roles come to together, one of them comes to it, or all do.
            for roles in [all] + (all.count > 1 && found[0].looksAtFields ? all.map { [$0] } : []) {
                let visibility = Visibility(context, type: type, roles: roles)
                if !found.contains(where: visibility.isSame) { found.insert(visibility, at: 0) }
            }
        }
        memberships = found.count == 1 && !context.asksForRoles(type) ? [] : asked
        possible = found.filter { $0.extent != .none }.map { context.asksForRoles(type) ? $0.withoutProofs : $0 }
    }

    /// Whose roles must be read before the query; nil where they were, and mostly.
    var rolesFirst: [UserID]? {
        guard roles == nil, context.asksForRoles(type), !memberships.isEmpty else { return nil }
        return memberships
    }

    /// Whether the caller has other roles by now than those that were read before.
    func isOutdated(by reading: Reading) -> Bool {
        roles.map { Set($0) != Set(reading.memberships.first ?? []) } ?? false
    }

    /// Whether nothing may come out, whatever roles the caller holds.
    package var isEmpty: Bool { possible.isEmpty }

    /// For who sees nothing.
    package var refusal: Refusal {
        let reason = "you may not read records of type \(type.row.name.excerpt)"
        return .accessDenied(context.caller.user == nil ? reason + " without signing in" : reason)
    }

    /// Which of ``possible`` it is, now that it is known which roles the caller holds; nil for nothing at all.
    package func decided(by reading: Reading) -> Int? {
        let decided = Visibility(context, type: type, roles: reading.memberships.first ?? [])
        return possible.firstIndex(where: decided.isSame)
    }
}

extension Visibility {
    /// Whether both show the same of every record, but for what is proved.
    fileprivate func isSame(_ other: Visibility) -> Bool {
        extent == other.extent && withoutProofs.conditions == other.withoutProofs.conditions
    }
}
