public import Foundation

extension CKShare {
    /// What everyone who has the share's URL may do. With `.none`, only people who were added have access.
    ///
    /// Setting it to `.none` removes participants who got access through the URL. Setting it to anything else removes
    /// invited participants who have not accepted.
    public var publicPermission: ParticipantPermission {
        get { shared.publicPermission }
        set { change { $0.setPublicPermission(newValue) } }
    }

    /// The URL at which people accept the share; nil until the share is saved.
    public var url: URL? { shared.url }

    /// Everyone who takes part or was invited, the owner first.
    public var participants: [Participant] { shared.participants }
    /// The person whose records are shared.
    public var owner: Participant { shared.owner }
    /// The participant for the person who is signed in; nil if that person does not take part.
    public var currentUserParticipant: Participant? { shared.currentUser }

    /// Adds a participant, who is invited when the share is saved. ``publicPermission`` must be `.none`. A person who
    /// already takes part gets the new permission and role.
    public func addParticipant(_ participant: Participant) { change { $0.add(participant) } }

    /// Removes a participant, who loses access when the share is saved. ``publicPermission`` must be `.none`. The owner
    /// cannot be removed.
    public func removeParticipant(_ participant: Participant) { change { $0.remove(participant) } }

    /// The one-time URL of a participant; the first person who opens it becomes that participant. Always nil, because
    /// servers do not provide one-time URLs yet.
    public func oneTimeURL(for participantID: Participant.ID) -> URL? { nil }

    // MARK: Requests for access. The owner and administrators decide on them; save the share afterwards.

    /// People who requested access and have not been admitted, denied or blocked yet.
    public var requesters: [CKShareAccessRequester] { shared.requesters }
    /// People who may no longer request access.
    public var blockedIdentities: [CKShareBlockedIdentity] { shared.blocked }

    /// Whether people who have the share's URL, but no access, may request access.
    public var allowsAccessRequests: Bool {
        get { shared.allowsAccessRequests }
        set { change { $0.allowAccessRequests(newValue) } }
    }

    /// Denies requests for access. The requesters may request access again.
    public func denyRequesters(_ requesters: [CKShareAccessRequester]) { change { $0.deny(requesters) } }

    /// Blocks requesters. They may not request access again, and no longer take part.
    public func blockRequesters(_ requesters: [CKShareAccessRequester]) { change { $0.block(requesters) } }

    /// Unblocks people, who may request access again once the share is saved.
    public func unblockIdentities(_ blockedIdentities: [CKShareBlockedIdentity]) {
        change { $0.unblock(blockedIdentities) }
    }
}
