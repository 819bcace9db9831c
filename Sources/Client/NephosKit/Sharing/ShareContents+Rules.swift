import Foundation

/// The rules for participants that apply before the share is saved.
extension ShareContents {
    /// Stores the reason why the share cannot be saved. Only the first reason is stored.
    mutating func refuse(_ reason: String) { fault = fault ?? reason }

    /// A change to `.none` removes participants who got access through the URL alone; a change to anything else removes
    /// invited participants who have not accepted.
    mutating func setPublicPermission(_ permission: CKShare.ParticipantPermission) {
        guard permission != publicPermission else { return }
        publicPermission = permission
        others.removeAll {
            permission == .none ? $0.role == .publicUser : $0.role != .publicUser && $0.acceptanceStatus != .accepted
        }
    }

    /// A person who already takes part gets the new permission and role.
    mutating func add(_ participant: CKShareParticipant) {
        guard isPrivate("added") else { return }
        guard owner != participant else { return }
        guard participant.role != .owner, participant.role != .publicUser else {
            return refuse(
                "a participant cannot be added as \(participant.role): set role to privateUser or administrator")
        }
        if let present = others.first(where: { $0 == participant }) {
            present.permission = participant.permission
            present.role = participant.role
        } else {
            others.append(participant)
        }
    }

    mutating func remove(_ participant: CKShareParticipant) {
        guard isPrivate("removed") else { return }
        guard owner != participant else {
            return refuse("the owner of a share cannot be removed: delete the share")
        }
        others.removeAll { $0 == participant }
    }

    private mutating func isPrivate(_ what: String) -> Bool {
        if publicPermission != .none {
            refuse("participants cannot be \(what) while the share is public: set publicPermission to none first")
        }
        return publicPermission == .none
    }
}

/// Requests for access, on which the owner and administrators decide.
extension ShareContents {
    mutating func allowAccessRequests(_ isAllowed: Bool) {
        if mayManage("change whether access can be requested") { allowsAccessRequests = isAllowed }
    }

    /// Removes requesters. They may request access again.
    mutating func deny(_ denied: [CKShareAccessRequester]) {
        if mayManage("deny access") { requesters.removeAll { denied.contains($0) } }
    }

    /// Blocks requesters. They may not request access again, and no longer take part.
    mutating func block(_ refused: [CKShareAccessRequester]) {
        guard mayManage("block requesters of access") else { return }
        requesters.removeAll { refused.contains($0) }
        for identity in refused.map(\.userIdentity) {
            others.removeAll { $0.userIdentity.isSamePerson(as: identity) }
            let entry = CKShareBlockedIdentity(identity)
            if !blocked.contains(entry) { blocked.append(entry) }
        }
    }

    mutating func unblock(_ identities: [CKShareBlockedIdentity]) {
        if mayManage("unblock users") { blocked.removeAll { identities.contains($0) } }
    }

    private mutating func mayManage(_ what: String) -> Bool {
        let role = currentUser?.role
        let mayManage = role == .owner || role == .administrator
        if !mayManage { refuse("only the owner and administrators of a share can \(what)") }
        return mayManage
    }
}
