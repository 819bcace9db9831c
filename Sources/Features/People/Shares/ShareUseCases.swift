import CloudKitWire
import NephosDomain
import NephosRunner
import NephosStorage

extension UseCaseGroup {
    static let shares = UseCaseGroup(
        "share", abstract: "See who shares with whom, and end it.",
        discussion: """
            People share records and zones of their private databases with each other. These commands print who is in a share, and \
            never what is shared. Each of them is an access to what the owner keeps, which the owner sees at /account.
            """,
        [UseCase.listShares, .showShare, .revokeShare])
}

extension UseCase {
    fileprivate static let listShares = UseCase(
        "share list", .changes, lists: true, abstract: "Print the shares of a container, or of one owner.",
        discussion: """
            \(Input<String?>.glassRule)

            Examples:

              nephos share list iCloud.com.example.app
              nephos share list iCloud.com.example.app --owner mary@example.org --environment production
            """,
        .tenant, Input<String?>.option("owner", help: "Only those of this person: an address, or a user record name."),
        .limit, .breakGlass
    ) { call, tenant, owner, limit, reason in
        let administration = try call.administration
        let shares = try await administration.shares(in: tenant, of: owner, limit: limit, reason: reason ?? "")
        var rows: [[String]] = []
        for share in shares {
            let joined = share.participants.count { $0.hasAccepted }
            rows.append([
                share.guid,
                try administration.people(of: share, in: tenant).owner?.shownEmail ?? share.owner.recordName,
                share.kind, share.publicPermission, "\(share.participants.count)", "\(joined)", share.createdAt.asDate,
            ])
        }
        return .table(
            ["share", "owner", "of", "public", "named", "joined", "since"], rows, whenEmpty: "Nothing is shared."
        ).noting(shares.count == limit ? "There may be more; see them with --limit." : nil)
    }

    fileprivate static let showShare = UseCase(
        "share show", .changes, lists: true, abstract: "Print who is in a share.",
        discussion: """
            The address is the last part of the share's URL, or the URL. Whoever visits a public share without being named is known \
            to nobody.

            \(Input<String?>.glassRule)

            Example:

              nephos share show iCloud.com.example.app 09xQvRzoYb_4f0DuW7cGqKiMA
            """,
        .container, .shareAddress, .environment, .breakGlass
    ) { call, container, address, environment, reason in
        let (administration, tenant) = (try call.administration, Tenant(container: container, environment: environment))
        let share = try await administration.share(at: address, in: tenant, reason: reason ?? "")
        let people = try administration.people(of: share, in: tenant)
        let owner = [people.owner?.shownEmail ?? "-", share.owner.recordName, "OWNER", "READ_WRITE", "joined"]
        let others = people.participants.map { known in
            [
                known.name.isEmpty ? "-" : known.name, known.participant.user?.recordName ?? "-",
                known.participant.role == .administrator ? "ADMINISTRATOR" : "USER", known.participant.permission.word,
                known.participant.hasAccepted ? "joined" : "invited",
            ]
        }
        let isPublic = share.row.publicPermission != .none
        return .table(["person", "user record", "role", "permission", "status"], [owner] + others)
            .noting(
                "A share of a \(share.kind), since \(share.createdAt.asDate). "
                    + (isPublic
                        ? "Public: whoever has its address may visit it (\(share.publicPermission))."
                        : "Only those who are named may join."))
    }

    fileprivate static let revokeShare = UseCase(
        "share revoke", .destroys, abstract: "End a share, or take somebody out of it.",
        discussion: """
            From then on they see nothing of it; what they have on their devices ends when these follow. Records stay with their \
            owner, who can share them again: the address is the same then.

            \(Input<String?>.glassRule)

            Examples:

              nephos share revoke iCloud.com.example.app 09xQvRzoYb_4f0DuW7cGqKiMA --yes
              nephos share revoke iCloud.com.example.app 09xQvRzoYb_4f0DuW7cGqKiMA \\
                --participant eve@example.org --break-glass "Ticket 4711"
            """,
        .container, .shareAddress, .environment,
        Input<String?>.option("participant", help: "Only this person: an address, or a user record name."), .breakGlass,
        .yes
    ) { call, container, address, environment, participant, reason, isSure in
        let (administration, tenant) = (try call.administration, Tenant(container: container, environment: environment))
        try call.confirm(
            participant.map { "This takes \($0) out of a share of \(tenant)." }
                ?? "This ends a share of \(tenant) for all who are in it.", unless: isSure)
        try await administration.revokeShare(at: address, for: participant, in: tenant, reason: reason ?? "")
        return .note(
            participant.map { "\($0) is not in the share any more." }
                ?? "The share has ended. Its records stay with their owner.")
    }
}

extension Input where Value == String {
    fileprivate static var shareAddress: Input {
        argument("share", help: "The last part of the share's URL, or the URL.")
    }
}

extension Input where Value == Int {
    fileprivate static var limit: Input {
        option("limit", default: 100, help: "Shares to print, up to 1000.")
            .refusing("A limit must be from 1 to 1000.") { (1...1_000).contains($0) }
    }
}

extension ShareOverview {
    fileprivate var kind: String { row.isOfZone ? "zone" : "record" }
    fileprivate var publicPermission: String { row.publicPermission == .none ? "-" : row.publicPermission.word }
}
