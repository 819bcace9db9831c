import CloudKitWire
package import NephosRunner
import NephosStorage

extension UseCaseGroup {
    package static let accounts = UseCaseGroup(
        "account", abstract: "Create and list accounts, one per person.",
        [UseCase.createAccount, UseCase.listAccounts, UseCase.showAccount])
}

extension UseCase {
    fileprivate static let createAccount = UseCase(
        "account create", .changes, abstract: "Create an account and print its id.",
        discussion: "Example:\n\n  nephos account create mary@example.org --name \"Mary Example\"",
        Input<String>.argument("email", help: "The person's email address; case does not matter."),
        .option("name", default: "", help: "Given name, then family name.")
    ) { call, email, name in
        .account(try call.administration.createAccount(email: email, name: name), of: email, call)
    }

    fileprivate static let listAccounts = UseCase(
        "account list", .reads, lists: true, abstract: "Print accounts, by address.",
        discussion: """
            Examples:

              nephos account list
              nephos account list --after mary@example.org
            """,
        Input<String?>.option("after", valueName: "email", help: "Only accounts after this address."), .lines()
    ) { call, after, limit in
        let accounts = try call.administration.accounts(after: after, limit: limit)
        let deletions = try call.administration.deletions(of: accounts)
        let rows = accounts.map {
            [$0.shownEmail, $0.fullName, $0.createdAt.asDate, (deletions[$0.id]?.dueAt ?? 0).asDateOrDash, $0.id]
        }
        let next = accounts.count == limit ? accounts.last : nil
        return .table(["email", "name", "made", "deleted", "id"], rows, whenEmpty: "There are no accounts.")
            .noting(next.map { "There may be more: \(call.command("account list --after \($0.email)"))" })
    }

    fileprivate static let showAccount = UseCase(
        "account show", .reads, abstract: "Print an account and the containers it has signed in to.",
        discussion: "Example:\n\n  nephos account show mary@example.org",
        Input<String>.argument("email", help: "The person's email address."), Input<Output>.output
    ) { call, email, output in
        let administration = try call.administration
        let account = try administration.account(email: email)
        let rows = try administration.memberships(of: account).map { place in
            [
                "\(place.tenant)", place.user, "\(place.sessions)", "\(place.phones)", "\(place.couriers)",
                place.lastDay.asDay,
            ]
        }
        let head = ["container", "user", "sessions", "phones", "pages", "last used"]
        if output == .json {
            return .bytes(account.json(deletion: try administration.deletions(of: [account])[account.id], head, rows))
        }
        let text = """
            id     \(account.id)
            email  \(account.shownEmail)\(account.ascii.map { "\nascii  \($0)" } ?? "")
            name   \(account.fullName)
            made   \(account.createdAt.asDate)
            """
        let deletion = try administration.deletions(of: [account])[account.id].map { "\n\($0.text)" }
        return .text(text + (deletion ?? "")).then(
            .table(head, rows, whenEmpty: "\(account.shownEmail) has never signed in to a container."))
    }
}

extension AccountDeletionRow {
    /// The row about deletion in the details of an account.
    fileprivate var text: String {
        let what = takesPublic ? "with public records" : "public records stay"
        return
            "leaves \(begunAt == 0 ? "deleted on \(dueAt.asDate)" : "being deleted since \(begunAt.asDate)"), \(what)"
    }
}

extension AccountRow {
    fileprivate var fullName: String {
        let name = [givenName, familyName].filter { !$0.isEmpty }.joined(separator: " ")
        return name.isEmpty ? "-" : name
    }

    /// The address with its domain in ASCII; nil if that is how it is shown.
    fileprivate var ascii: String? {
        let text = EmailAddress.text(of: email)
        return text.utf8.elementsEqual(shownEmail.utf8) ? nil : text
    }

    /// An object, with where its person has signed in.
    fileprivate func json(deletion: AccountDeletionRow?, _ head: [String], _ places: [[String]]) -> [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        json.member("id", id)
        json.member("email", shownEmail)
        if let ascii { json.member("ascii", ascii) }
        json.member("name", fullName == "-" ? "" : fullName)
        json.member("made", createdAt.asDate)
        if let deletion { json.member("deleted", deletion.dueAt.asDate) }
        json.key("containers")
        json.beginArray()
        for place in places { Output.write(head, place, to: &json) }
        json.endArray()
        json.endObject()
        return json.bytes + [UInt8(ascii: "\n")]
    }
}
