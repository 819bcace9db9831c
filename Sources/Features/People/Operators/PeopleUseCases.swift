import NephosDomain
import NephosRunner
import NephosStorage

extension UseCaseGroup {
    /// Added to the commands that every program has.
    static let accounts = UseCaseGroup(
        "account", abstract: "", [.createAccount, .setPassword, .dropPasskeys] + UseCase.leaving)
    static let tokens = UseCaseGroup("token", abstract: "", [.listTokens, .showToken, .setToken])
    static let accesses = UseCaseGroup("session", abstract: "", [.createSession, .logSessions])
}

extension UseCaseGroup {
    static let look = UseCaseGroup("settings", abstract: "", [.setLogo])
}

extension UseCase {
    fileprivate static let setLogo = UseCase(
        "settings logo", .changes, abstract: "Set or remove the picture of an app on the sign-in pages.",
        discussion: """
            A PNG of at most 64 KB. It appears at the top of the sign-in pages. Each environment has its own.

            Examples:

              nephos settings logo iCloud.com.example.app logo.png
              nephos settings logo iCloud.com.example.app --remove
            """,
        .container, Input<InputFile?>.argument("file", help: "The picture."), .environment,
        Input<Bool>.flag("remove", help: "Remove the picture.")
    ) { call, container, file, environment, isGone in
        guard (file == nil) == isGone else { throw Failure("Pass either a file or --remove.", kind: .wrongUsage) }
        let tenant = Tenant(container: container, environment: environment)
        let picture = try file.map { try call.contents(of: $0) }
        try await call.administration.setLogo(to: picture, named: file?.path ?? "The picture", in: tenant)
        return .note(
            isGone
                ? "The logo is removed from the pages of \(tenant)."
                : "Pages of \(tenant) show the picture from now on.")
    }

    fileprivate static let createAccount = UseCase(
        "account create", .changes, abstract: "Create an account and print its id.",
        discussion: """
            With a password, the person can sign in on the page that apps open; without one, only after one has been set.

            Examples:

              nephos account create mary@example.org --name "Mary Example"
              nephos account create mary@example.org --password-file mary.txt
            """,
        Input<String>.argument("email", help: "The person's address; upper and lower case are the same."),
        .option("name", default: "", help: "Given name, then family name."), .passwordFile, .refusedPasswords
    ) { call, email, name, file, list in
        .account(
            try call.administration.createAccount(
                email: email, name: name, password: try file.map { try call.password(inFile: $0) },
                refused: try list.map { try call.contents(of: $0) } ?? []), of: email, call)
    }

    fileprivate static let setPassword = UseCase(
        "account password", .changes, abstract: "Set the password of an account, replacing any earlier one.",
        discussion: """
            A password must have 10 to 1024 bytes, and must not contain a part of the address or repeat a single character. Browsers \
            that are signed in on this server's pages are signed out. Apps stay signed in: nephos session revoke --all EMAIL ends that.

            Examples:

              nephos account password mary@example.org --password-file mary.txt
              nephos account password mary@example.org --password-file - < mary.txt

            \(Input<String?>.glassRule)
            """,
        Input<String>.argument("email", help: "The address of the account."), .passwordFile, .refusedPasswords,
        .breakGlass
    ) { call, email, file, list, reason in
        guard let file else {
            throw Failure(
                "Pass --password-file FILE, or --password-file - for standard input. A password is never an argument, because "
                    + "other users of this machine could see it.", kind: .wrongUsage)
        }
        let administration = try call.administration
        try await administration.setPassword(
            of: email, reason: reason ?? "", to: try call.password(inFile: file),
            refused: try list.map { try call.contents(of: $0) } ?? [])
        let account = try administration.account(email: email)
        guard try administration.deletions(of: [account]).isEmpty else {
            return .note(
                "The password is saved, but \(account.shownEmail) is being deleted and cannot sign in. "
                    + "To keep the account: \(call.command("account restore \(account.shownEmail)"))")
        }
        return .note("\(account.shownEmail) can sign in with this password now.")
    }

    fileprivate static let dropPasskeys = UseCase(
        "account drop-passkeys", .destroys, abstract: "Remove the passkeys of all accounts.",
        discussion: """
            Use it when an installation moves to another host, where its passkeys do not work. Passwords stay; set one with \
            nephos account password for people who have none. People who are signed in stay signed in.

            Example:

              nephos account drop-passkeys --yes
            """,
        .yes
    ) { call, isSure in
        try call.confirm("This removes the passkeys of all accounts.", unless: isSure)
        return .note("Removed: \(try call.administration.dropPasskeys()) passkeys.")
    }

    fileprivate static let setToken = UseCase(
        "token set", .changes, abstract: "Set where people can sign in and sign up with an API token.",
        discussion: """
            People can sign in for the app that has the token on web pages of its origins, and from apps to which they return by one \
            of its callbacks; a new token has neither. An origin is a scheme and a host, and a port that is not the default; the word \
            loopback stands for this machine, with any port. A callback is an https address, or an address with a scheme of the \
            app's own. Each option replaces the earlier value; an empty text removes it.

            People can create accounts if both --sign-up and the settings of the container (people.signUp) allow it.

            Examples:

              nephos token set iCloud.com.example.app 8f14e45f \\
                --origins https://app.example.org,loopback
              nephos token set iCloud.com.example.app 8f14e45f \\
                --callback com.example.app://signed-in
              nephos token set iCloud.com.example.app 8f14e45f --sign-up yes
              nephos token set iCloud.com.example.app 8f14e45f --origins ''
            """,
        .tenant, Input<String>.argument("id", help: "The token's id, or its beginning."),
        Input<String?>.option("origins", help: "*, or origins separated by commas."),
        Input<String?>.option(
            "callback", valueName: "url", help: "Addresses separated by commas; the first is the default."),
        Input<String?>.option("sign-up", help: "yes or no: whether people can create accounts for the app.")
    ) { call, tenant, id, origins, callback, signUp in
        guard origins != nil || callback != nil || signUp != nil else {
            throw Failure("Pass --origins URLS, --callback URL, or --sign-up yes or no.", kind: .wrongUsage)
        }
        let origins = try origins.map { try AllowedOrigins($0) }
        let callbacks = try callback.map { try TokenTermsRow.callbacks($0) }
        let signsUp = try signUp.map { word throws(Failure) in
            guard word == "yes" || word == "no" else {
                throw Failure("--sign-up must be yes or no.", kind: .wrongUsage)
            }
            return word == "yes"
        }
        let terms = try await call.administration.setTerms(of: id, in: tenant) { terms in
            if let origins { terms.origins = origins.stored }
            if let callbacks { terms.callbacks = callbacks }
            if let signsUp { terms.signsUp = signsUp }
        }
        let back = terms.callbacks.isEmpty ? "none" : terms.callbacks.replacing(" ", with: ", ")
        return .note(
            "People can sign in on pages of: \(terms.allowedOrigins.text). They can be sent back to: \(back). "
                + "\(terms.signsUp ? "People without an account can create one, if the settings of the container allow it." : "Nobody can create an account.")"
        )
    }
}

extension Input where Value == InputFile? {
    fileprivate static var passwordFile: Input {
        option(
            "password-file", valueName: "file", help: "A file that contains only the password, or - for standard input."
        )
    }
    fileprivate static var refusedPasswords: Input {
        option("refused", valueName: "file", help: "A file with passwords that are refused, one per line.")
    }
}
