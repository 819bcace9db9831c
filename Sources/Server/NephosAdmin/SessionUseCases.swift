package import NephosRunner
import NephosStorage

extension UseCaseGroup {
    package static let sessions = UseCaseGroup(
        "session", abstract: "Create, list and revoke sessions of people.",
        [UseCase.createSession, UseCase.listSessions, UseCase.revokeSessions])
}

extension UseCase {
    fileprivate static let createSession = UseCase(
        "session create", .changes, abstract: "Sign a person in to a container and print a web auth token.",
        discussion: """
            The token acts as that person for two weeks, however it is used. Clients send it as ckWebAuthToken, with an API token.

            Example:

              nephos session create iCloud.com.example.app mary@example.org
            """,
        .container, Input<String>.argument("email", help: "The address of the person's account."), .environment
    ) { call, container, email, environment in
        let tenant = Tenant(container: container, environment: environment)
        return .webAuthToken(
            try await call.administration.createSession(in: tenant, email: email), of: email, in: tenant)
    }

    fileprivate static let listSessions = UseCase(
        "session list", .reads, lists: true,
        abstract: "Print the sessions of a container, or of one person there, newest first.",
        discussion: """
            Revoked sessions are listed too; expired ones are removed after a day. The last use is recorded by day, some minutes \
            later. A session that began on the sign-in page is extended by use, up to a time that is printed too; its last use is \
            recorded at most every five minutes, or every day if the person stays signed in. App, device and address are those of \
            that use, or of the sign-in; of the address only a block of 256 (IPv4), or the first 48 bits (IPv6).

            Examples:

              nephos session list iCloud.com.example.app
              nephos session list iCloud.com.example.app mary@example.org
            """,
        .tenant, Input<String?>.argument("email", help: "Only sessions of this person."), .lines()
    ) { call, tenant, email, limit in
        let sessions = try call.administration.sessions(of: tenant, email: email, limit: limit)
        let rows = sessions.map { session in
            [
                session.id, session.person, session.createdAt.asDate, session.expiresAt.asDate,
                session.endsAt.asDateOrDash, session.lastUse, session.revokedAt.asDateOrDash, session.app.orDash,
                session.device.orDash, session.network.orDash,
            ]
        }
        let head = [
            "id", "person", "made", "ends", "at the latest", "last used", "revoked", "app", "device", "last address",
        ]
        return .table(head, rows, whenEmpty: "There are no sessions.")
            .noting(sessions.count == limit ? "There may be more; pass a higher --limit." : nil)
    }

    fileprivate static let revokeSessions = UseCase(
        "session revoke", .changes, abstract: "Revoke a session, or all sessions of a person.",
        discussion: """
            It is refused from the next request on, on every server. Devices that were registered with it are no longer \
            notified; its links to files end immediately, and its event streams within a second. --all revokes all sessions and \
            devices of the person, in every container or in the one that is given, and in both of its environments unless one \
            is given.

            Examples:

              nephos session revoke iCloud.com.example.app \\
                8f14e45fceea167a5a36dedd4bea2543
              nephos session revoke --all mary@example.org
              nephos session revoke --all mary@example.org iCloud.com.example.app
            """,
        .revocation
    ) { call, revocation in
        let administration = try call.administration
        switch revocation {
        case .one(let session, let tenant):
            return .note(try await administration.revokeSession(session, in: tenant).sentence)
        case .all(let email, let container, let environment):
            let revoked = try await administration.revokeAllSessions(
                of: email, container: container, environment: environment)
            guard !revoked.isEmpty else {
                return .note("\(email) has never signed in to \(container ?? "any container"). Nothing was revoked.")
            }
            return revoked.reduce(.nothing) { $0.noting($1.sentence) }
        }
    }
}

/// Which sessions to revoke.
private enum Revocation: Sendable {
    case one(String, Tenant)
    /// All of a person, in one container and environment or in all.
    case all(of: String, container: String?, environment: Environment?)
}

extension Input where Value == Revocation {
    fileprivate static var revocation: Input {
        Input(
            Input<String?>.argument("container", help: "The container's id."),
            Input<String?>.argument("session", help: "The id of the session, as session list prints it."),
            Input<String?>.option("all", valueName: "email", help: "All sessions and devices of this person."),
            Input<Environment?>.option(
                "environment", help: "The container's environment; development for one session, both with --all.")
        ) { container, session, all, environment throws(WrongInput) in
            switch (container, session, all) {
            case (let container, nil, let email?): .all(of: email, container: container, environment: environment)
            case (let container?, let session?, nil):
                .one(session, Tenant(container: container, environment: environment ?? .development))
            default: throw WrongInput("Pass either a container and the id of a session, or --all EMAIL.")
            }
        }
    }
}

extension SessionListing {
    /// A time if that is known, otherwise a day.
    fileprivate var lastUse: String { usedAt > createdAt ? usedAt.asDate : lastDay.asDay }
}

extension String {
    fileprivate var orDash: String { isEmpty ? "-" : self }
}

extension RevokedSessions {
    fileprivate var sentence: String { "\(tenant): \(sessions) sessions and \(devices) devices." }
}
