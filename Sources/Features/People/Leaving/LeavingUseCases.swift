import NephosRunner
import NephosStorage

extension UseCase {
    static let leaving = [deleteAccount, keepAccount, exportAccount]

    fileprivate static let deleteAccount = UseCase(
        "account delete", .destroys, abstract: "Delete an account and all data of its person.",
        discussion: """
            All browsers and apps are signed out, and nobody can sign in to use the account. After seven days its data is deleted, \
            container by container: the private database with its files, what refers to the person elsewhere, and what they created \
            that is in the trash. Until then the person can sign in to keep the account, or you can keep it with \
            nephos account restore. The address stays reserved until the account is deleted.

            Records that the person created in public databases stay, under the name of their user record. With --public they are \
            deleted, too, with what their deletion cascades to.

            For what remains in files and backups, see docs/security.md.

            Examples:

              nephos account delete mary@example.org
              nephos account delete mary@example.org --now --public --yes
            """,
        Input<String>.argument("email", help: "The address of the account."),
        .flag("now", help: "Delete immediately, not in seven days. This cannot be undone."),
        .flag("public", help: "Also delete records that the person created in public databases."), .yes
    ) { call, email, isAtOnce, takesPublic, isSure in
        let administration = try call.administration
        let account = try administration.account(email: email)
        let when = isAtOnce ? "now, and for good" : "in seven days"
        try call.confirm("This deletes the account \(account.shownEmail) \(when).", unless: isSure)
        let deletion = try await administration.deleteAccount(email, takesPublic: takesPublic, isAtOnce: isAtOnce)
        guard deletion.dueAt <= call.now() else {
            return .note(
                "\(account.shownEmail) is signed out everywhere, and will be deleted on \(deletion.dueAt.asDate) by a server. "
                    + "To keep it: \(call.command("account restore \(account.shownEmail)"))")
        }
        let isDone = try await administration.erase(deletion, files: try call.files) { call.progress("\($0)") }
        call.progress("")
        return .note(
            isDone
                ? "Deleted \(account.shownEmail)."
                : "\(account.shownEmail) is being deleted. A server completes it within a minute, after pending work of features."
        )
    }

    fileprivate static let keepAccount = UseCase(
        "account restore", .changes, abstract: "Cancel the deletion of an account.",
        discussion: """
            Nothing is deleted until the deletion is due. The person has to sign in again.

            Example:

              nephos account restore mary@example.org
            """,
        Input<String>.argument("email", help: "The address of the account.")
    ) { call, email in
        try call.administration.keepAccount(email)
        return .note("\(email) is kept. Its person can sign in again.")
    }

    fileprivate static let exportAccount = UseCase(
        "account export", .changes, abstract: "Write all data of a person into a folder.",
        discussion: """
            Use it for a person who requests their data and cannot sign in; others can download it at /account. account.json contains \
            the account, and how and where the person signs in. Each container and environment that knows the person has a file, such \
            as iCloud.com.example.app/production.json, with sessions, apps that the person has allowed, and records: all of the \
            private database, and those that the person created in the public one. Files of records are stored next to it, in the \
            folders private and public, named by the checksum that is in the record.

            Only you can read the folder. Delete it when you no longer need it.

            \(Input<String?>.glassRule)

            Example:

              nephos account export mary@example.org mary
            """,
        Input<String>.argument("email", help: "The address of the account."),
        Input<NewFolder>.argument("folder", help: "An empty folder, or one that does not exist yet."), .breakGlass
    ) { call, email, folder, reason in
        let administration = try call.administration
        let account = try administration.account(email: email)
        try await administration.noteAccess(.export, to: account, reason: reason ?? "")
        try await administration.export(account, files: try call.files, to: try call.folder(folder))
        return .note("Wrote the data of \(account.shownEmail) into \(folder.path).")
    }
}
