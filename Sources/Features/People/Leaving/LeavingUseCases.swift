import NephosRunner
import NephosStorage

extension UseCase {
    static let leaving = [deleteAccount, keepAccount, exportAccount]

    fileprivate static let deleteAccount = UseCase(
        "account delete", .destroys, abstract: "Delete an account, with all that there is of its person.",
        discussion: """
            From now on nobody signs in with the account, and all browsers and apps are signed out. In seven days it goes, container by \
            container: the private database with its files, what the person keeps for themselves anywhere, and what they have in the trash. \
            Until then they can sign in to keep it, and nephos account restore does so, too. Nobody else gets the address meanwhile.

            Records in public databases stay, under the user name that they have in each container. With --public they go, and what goes \
            with them.

            What files and backups still have of it afterwards: docs/security.md.

            Examples:

              nephos account delete mary@example.org
              nephos account delete mary@example.org --now --public --yes
            """,
        Input<String>.argument("email", help: "The address of the account."),
        .flag("now", help: "Do not wait for seven days. Nobody can change their mind."),
        .flag("public", help: "Records that the person has made in public databases go, too."), .yes
    ) { call, email, isAtOnce, takesPublic, isSure in
        let administration = try call.administration
        let account = try administration.account(email: email)
        let when = isAtOnce ? "now, and for good" : "in seven days"
        try call.confirm("This deletes the account \(account.email) \(when).", unless: isSure)
        let deletion = try await administration.deleteAccount(email, takesPublic: takesPublic, isAtOnce: isAtOnce)
        guard deletion.dueAt <= call.now() else {
            return .note(
                "\(account.email) is signed out everywhere, and will be deleted on \(deletion.dueAt.asDate) by a server. "
                    + "To keep it: \(call.command("account restore \(account.email)"))")
        }
        let isDone = try await administration.erase(deletion, files: try call.files) { call.progress("\($0)") }
        call.progress("")
        return .note(
            isDone
                ? "Deleted \(account.email)."
                : "\(account.email) is being deleted: features are to take note of something first, and a server goes on within a minute."
        )
    }

    fileprivate static let keepAccount = UseCase(
        "account restore", .changes, abstract: "Keep an account that is to be deleted.",
        discussion: """
            Until it is due everything is there still. The person signs in anew.

            Example:

              nephos account restore mary@example.org
            """,
        Input<String>.argument("email", help: "The address of the account.")
    ) { call, email in
        try call.administration.keepAccount(email)
        return .note("\(email) stays. Its person can sign in again.")
    }

    fileprivate static let exportAccount = UseCase(
        "account export", .changes, abstract: "Write what is stored of a person into a folder.",
        discussion: """
            For a person who asks for it and cannot sign in; who can downloads it at /account. account.json has the account, how its \
            person signs in, and where. For each container and environment that knows them there is a file, such as \
            iCloud.com.example.app/production.json, with sessions, apps that they have allowed, and records: all of the private \
            database, and those of the public one that they have made. Files of records are beside it, in folders private and public, \
            under the checksum by which records name them.

            Only you may read the folder. Keep it no longer than you need it.

            \(Input<String?>.glassRule)

            Example:

              nephos account export mary@example.org mary
            """,
        Input<String>.argument("email", help: "The address of the account."),
        Input<String>.argument("folder", help: "A folder that is empty, or not there yet."), .breakGlass
    ) { call, email, folder, reason in
        let administration = try call.administration
        let account = try administration.account(email: email)
        try await administration.noteAccess(.export, to: account, reason: reason ?? "")
        try await administration.export(account, files: try call.files, to: try FolderSink(folder))
        return .note("Wrote what is stored of \(account.email) into \(folder).")
    }
}
