public import Foundation

extension CKShare {
    /// What everybody who has the address may do. `.none` lets in those alone who were added.
    ///
    /// Setting it to `.none` takes out who came by the address; setting it to anything else takes out who was invited and has
    /// not answered.
    public var publicPermission: ParticipantPermission {
        get { shared.publicPermission }
        set { change { $0.setPublicPermission(newValue) } }
    }

    /// Where people accept it; nil until it is saved.
    public var url: URL? { shared.url }

    /// Everybody who takes part or was invited, the owner first.
    public var participants: [Participant] { shared.participants }
    /// The person whose records are shared.
    public var owner: Participant { shared.owner }
    /// Who is signed in, as far as they take part.
    public var currentUserParticipant: Participant? { shared.currentUser }

    /// Invites somebody when the share is saved; ``publicPermission`` must be `.none`. Who takes part already is given the new
    /// permission and role.
    public func addParticipant(_ participant: Participant) { change { $0.add(participant) } }

    /// Takes somebody's access away when the share is saved; ``publicPermission`` must be `.none`. It is not for the owner.
    public func removeParticipant(_ participant: Participant) { change { $0.remove(participant) } }

    /// The address for a participant who is whoever opens it first. Nil: no server gives one yet.
    public func oneTimeURL(for participantID: Participant.ID) -> URL? { nil }

    // MARK: Who asked for access. The owner and administrators decide; save the share afterwards.

    /// People who asked for access and were neither let in, denied nor blocked yet.
    public var requesters: [CKShareAccessRequester] { shared.requesters }
    /// People who may not ask for access any more.
    public var blockedIdentities: [CKShareBlockedIdentity] { shared.blocked }

    /// Whether people who have the address and no access may ask for it.
    public var allowsAccessRequests: Bool {
        get { shared.allowsAccessRequests }
        set { change { $0.allowAccessRequests(newValue) } }
    }

    /// They may ask again.
    public func denyRequesters(_ requesters: [CKShareAccessRequester]) { change { $0.deny(requesters) } }

    /// They may not ask again, and do not take part any more.
    public func blockRequesters(_ requesters: [CKShareAccessRequester]) { change { $0.block(requesters) } }

    /// Lets people ask for access again, who were blocked, once the share is saved.
    public func unblockIdentities(_ blockedIdentities: [CKShareBlockedIdentity]) {
        change { $0.unblock(blockedIdentities) }
    }
}
