import CloudKitWire
import NephosDomain
import NephosRunner
import NephosStorage

extension UseCase {
    /// Replaces the command of the same name that every program has.
    static let createSession = UseCase(
        "session create", .changes, abstract: "Sign a person in to a container and print a web auth token.",
        discussion: """
            The token acts as that person for two weeks, or until the permission of the person ends. Clients send it as ckWebAuthToken, \
            together with an API token.

            \(Input<String?>.glassRule)

            Examples:

              nephos session create iCloud.com.example.app mary@example.org
              nephos session create iCloud.com.example.app mary@example.org \\
                --environment production --break-glass "Ticket 4711"
            """,
        .container, Input<String>.argument("email", help: "The address of the person's account."), .environment,
        .breakGlass
    ) { call, container, email, environment, reason in
        let tenant = Tenant(container: container, environment: environment)
        return .webAuthToken(
            try await call.administration.signIn(as: email, in: tenant, reason: reason ?? ""), of: email, in: tenant)
    }

    static let logSessions = UseCase(
        "session log", .reads,
        abstract: "Print accesses by others to what a person keeps in a container, newest first.",
        discussion: """
            Accesses are operators who signed in as the person, set their password or exported their account, and servers that signed \
            the person in. Permissions that the person gave to operators are listed, too. Entries are kept for at least 180 days; the \
            person sees them at /account.

            Examples:

              nephos session log iCloud.com.example.app mary@example.org
              nephos session log iCloud.com.example.app mary@example.org \\
                --environment production --output json
            """,
        .tenant, Input<String>.argument("person", help: "The address of the account, or a user record name."), .lines(),
        Input<Output>.output
    ) { call, tenant, person, limit, output in
        let found = try call.administration.accesses(of: person, in: tenant, limit: limit)
        let rows = found.map { [$0.at.asDate, "\($0.kind)", $0.who, $0.until.asDateOrDash, $0.reason] }
        return
            output.answer(
                ["when", "what", "who", "until", "reason"], rows, whenEmpty: "There are no accesses by others."
            ) { json in found.forEach { $0.write(to: &json) } }
            .noting(found.count == limit ? "There may be more; see them with --limit." : nil)
    }
}

extension Input where Value == String? {
    /// The reason of an operator who has no permission from the person.
    static var breakGlass: Input {
        option(
            "break-glass", valueName: "reason",
            help: "Act without the person's permission, for this reason; the person is notified.")
    }

    static var glassRule: String {
        """
        A person who has signed in to production must first allow it at /account, for at most 7 days. Otherwise pass \
        --break-glass REASON: the person is notified by mail, if the server sends mails, and at the next sign-in.
        """
    }
}

extension AccessRow {
    /// The form printed by `session log --output json`.
    fileprivate func write(to json: inout JSONWriter) {
        json.beginObject()
        json.key("at")
        json.int64(at)
        json.member("what", "\(kind)")
        json.member("who", who)
        json.member("reason", reason)
        if until != 0 {
            json.key("until")
            json.int64(until)
        }
        json.endObject()
    }
}
