import CloudKitWire
import NephosRunner
import NephosStorage

extension UseCaseGroup {
    /// Added to the commands that every program has.
    static let keys = UseCaseGroup("key", abstract: "", [.setKey])
    static let externalPeople = UseCaseGroup("session", abstract: "", [.listExternal])
}

extension UseCase {
    fileprivate static let setKey = UseCase(
        "key set", .changes, abstract: "Set whether a key can sign in people of its own server.",
        discussion: """
            Use it if you have your own login system: a server that has authenticated a person there gets a session for them here, by \
            POST …/sign-in/external. Anyone who has such a key can act as every person that it has signed in, so create a separate key \
            for this, and keep it on that server. It cannot act as people who have an account here.

            Examples:

              nephos key set iCloud.com.example.app 8f14e45f --sign-in yes
              nephos key set iCloud.com.example.app 8f14e45f --sign-in no
            """,
        .tenant, Input<String>.argument("id", help: "The key's id, or its beginning."),
        Input<String?>.option("sign-in", help: "yes or no: whether it signs people in.")
    ) { call, tenant, id, signIn in
        guard let signIn else { throw Failure("Pass --sign-in yes or --sign-in no.", kind: .wrongUsage) }
        guard signIn == "yes" || signIn == "no" else {
            throw Failure("--sign-in must be yes or no.", kind: .wrongUsage)
        }
        let key = try await call.administration.setTerms(ofKey: id, in: tenant, signsIn: signIn == "yes")
        return .note(
            signIn == "yes"
                ? "Key \(key.prefix(8)) can sign people in. Keep it only on the server that does so."
                : "Key \(key.prefix(8)) cannot sign people in. Existing sessions continue; end them with nephos session revoke."
        )
    }

    fileprivate static let listExternal = UseCase(
        "session external", .reads, abstract: "Print people that other servers have signed in to a container.",
        discussion: """
            The subject is the id of the person at that server. Names and addresses are as the server sent them, and not verified.

            Examples:

              nephos session external iCloud.com.example.app
              nephos session external iCloud.com.example.app 4711 --output json
            """,
        .tenant, Input<String?>.argument("subject", help: "Only the person with this subject."), .lines(),
        Input<Output>.output
    ) { call, tenant, subject, limit, output in
        let people = try call.administration.externalPeople(called: subject, in: tenant, limit: limit)
        let rows = people.map {
            [
                $0.subject, $0.user.recordName, $0.name, EmailAddress.shown($0.email), $0.firstAt.asDate,
                $0.lastAt.asDate,
            ]
        }
        return
            output.answer(
                ["subject", "record name", "name", "address", "first", "last"], rows,
                whenEmpty: "No other server has signed in a person."
            ) { json in people.forEach { $0.write(to: &json) } }
            .noting(people.count == limit ? "There may be more; see them with --limit." : nil)
    }
}

extension Administration {
    /// - Parameter id: The beginning of the key's ID.
    /// - Returns: The complete ID.
    /// - Throws: ``AdminError/noServerKey(_:_:)``; ``AdminError/refused(_:)`` if several keys match.
    func setTerms(ofKey id: String, in tenant: Tenant, signsIn: Bool) async throws(AdminError) -> String {
        let store = try store(tenant)
        let keys = try read(store).catalog.keys.values.filter {
            $0.revokedAt == 0 && $0.id.hasPrefix(id.lowercased()) && !id.isEmpty
        }
        guard let key = keys.first?.id else { throw .noServerKey(id, tenant) }
        guard keys.count == 1 else { throw .refused("\(keys.count) keys begin with \(id). Type more of it.") }
        let scan = KeyTermsRow.of(key)
        var set = ReadSet()
        set.ask(scan)
        let now = inputs.now()
        return try await commit(to: store, set) { reading in
            var writes = WriteSet()
            let (old, new) = (reading[scan].first, KeyTermsRow(key: key, signsIn: signsIn, setAt: now))
            if new != old { writes.put(new, replacing: old) }
            return .write(writes, key)
        }
    }

    func externalPeople(
        called subject: String?, in tenant: Tenant, limit: Int
    ) throws(AdminError) -> [ExternalPersonRow] {
        try rows(ExternalPersonRow.called(subject, limit: limit), of: try store(tenant))
    }
}

extension ExternalPersonRow {
    /// The form printed by `session external --output json`.
    fileprivate func write(to json: inout JSONWriter) {
        json.beginObject()
        json.member("subject", subject)
        json.member("recordName", user.recordName)
        json.member("name", name)
        json.member("emailAddress", EmailAddress.shown(email))
        json.member("firstAt", firstAt)
        json.member("lastAt", lastAt)
        json.endObject()
    }
}
