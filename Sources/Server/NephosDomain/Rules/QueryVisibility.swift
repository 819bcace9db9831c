package import CloudKitWire
package import NephosStorage

/// What a query shows of a type before the caller's roles are known: they are read in the same snapshot as the records, because membership
/// is never cached.
///
/// Usually there is only one possibility. There are more if one of the container's own roles has a grant that not everybody has. A query
/// then reads a page for each and answers with the one that applies. If records require roles by name, there would be one for each set of
/// roles, so the caller's roles are read first (``rolesFirst``).
package struct QueryVisibility {
    /// The memberships to read along.
    package let memberships: [UserID]
    /// The possible results. One that shows nothing is not included: it needs no page.
    let possible: [Visibility]
    private let context: RequestContext
    private let type: RecordType
    private let roles: [Int64]?

    /// - Parameter roles: The caller's own, if they were read first.
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
            // Any combination of roles is equivalent to a single role, or to all of them.
            for roles in [all] + (all.count > 1 && found[0].looksAtFields ? all.map { [$0] } : []) {
                let visibility = Visibility(context, type: type, roles: roles)
                if !found.contains(where: visibility.isSame) { found.insert(visibility, at: 0) }
            }
        }
        memberships = found.count == 1 && !context.asksForRoles(type) ? [] : asked
        possible = found.filter { $0.extent != .none }.map { context.asksForRoles(type) ? $0.withoutProofs : $0 }
    }

    /// The users whose roles must be read before the query; nil if they were read, or need not be, which is usual.
    var rolesFirst: [UserID]? {
        guard roles == nil, context.asksForRoles(type), !memberships.isEmpty else { return nil }
        return memberships
    }

    /// Whether the caller's roles have changed since they were read first.
    func isOutdated(by reading: Reading) -> Bool {
        roles.map { Set($0) != Set(reading.memberships.first ?? []) } ?? false
    }

    /// Whether the caller sees nothing, whatever roles they have.
    package var isEmpty: Bool { possible.isEmpty }

    /// The refusal for a caller that sees nothing.
    package var refusal: Refusal {
        let deed = "read records of type \(type.row.name.excerpt)"
        guard context.caller.user != nil else {
            return .accessDenied("you are not allowed to \(deed) without signing in: send a person's ckWebAuthToken")
        }
        return .notAllowed(to: deed, lacking: "READ")
    }

    /// The index in ``possible`` that applies, now that the caller's roles are known; nil for nothing at all.
    package func decided(by reading: Reading) -> Int? {
        let decided = Visibility(context, type: type, roles: reading.memberships.first ?? [])
        return possible.firstIndex(where: decided.isSame)
    }
}

extension Visibility {
    /// Whether both show the same of every record, apart from proofs.
    fileprivate func isSame(_ other: Visibility) -> Bool {
        extent == other.extent && withoutProofs.conditions == other.withoutProofs.conditions
    }
}
