import NephosDomain
import NephosRunner
import NephosStorage

extension UseCaseGroup {
    /// Added to the commands that every program has.
    static let accounts = UseCaseGroup(
        "account", abstract: "", [.createAccount, .setPassword, .dropPasskeys] + UseCase.leaving)
    static let tokens = UseCaseGroup("token", abstract: "", [.setToken])
    static let accesses = UseCaseGroup("session", abstract: "", [.createSession, .logSessions])
}

extension UseCaseGroup {
    static let look = UseCaseGroup("settings", abstract: "", [.setLogo])
}

extension UseCase {
    fileprivate static let setLogo = UseCase(
        "settings logo", .changes, abstract: "Set the picture that pages for people show of an app, or take it away.",
        discussion: """
            A PNG of at most 64 KB. It stands above what people are asked when they sign in. Each environment has its own.

            Examples:

              nephos settings logo iCloud.com.example.app logo.png
              nephos settings logo iCloud.com.example.app --remove
            """,
        .container, Input<String?>.argument("file", help: "The picture."), .environment,
        Input<Bool>.flag("remove", help: "Show none any more.")
    ) { call, container, file, environment, isGone in
        guard (file == nil) == isGone else { throw Failure("Say either a file or --remove.", kind: .wrongUsage) }
        let tenant = Tenant(container: container, environment: environment)
        try await call.administration.setLogo(to: try file.map { try call.contents(of: $0) }, in: tenant)
        return .note(
            isGone ? "Pages of \(tenant) show no picture." : "Pages of \(tenant) show the picture from now on.")
    }

    fileprivate static let createAccount = UseCase(
        "account create", .changes, abstract: "Make an account and print its id.",
        discussion: """
            With a password its person can sign in on the page that apps open. Without one they cannot, until one is set.

            Examples:

              nephos account create mary@example.org --name "Mary Example"
              nephos account create mary@example.org --password-file mary.txt
            """,
        Input<String>.argument("email", help: "The person's address; upper and lower case are the same."),
        .option("name", default: "", help: "Given name, then family name."), .passwordFile, .refusedPasswords
    ) { call, email, name, file, list in
        .text(
            try call.administration.createAccount(
                email: email, name: name, password: try file.map { try call.password(inFile: $0) },
                refused: try list.map { try call.contents(of: $0) } ?? []))
    }

    fileprivate static let setPassword = UseCase(
        "account password", .changes, abstract: "Give an account a password, in the place of any that it has.",
        discussion: """
            A password has 10 to 1024 bytes, contains no part of the address, and is not one character again and again. Browsers \
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
                "Say --password-file FILE, or --password-file - to hand the password in. It is never an argument, which others "
                    + "on this machine could see.", kind: .wrongUsage)
        }
        try await call.administration.setPassword(
            of: email, reason: reason ?? "", to: try call.password(inFile: file),
            refused: try list.map { try call.contents(of: $0) } ?? [])
        return .note("\(email) signs in by this password from now on.")
    }

    fileprivate static let dropPasskeys = UseCase(
        "account drop-passkeys", .destroys, abstract: "Remove the passkeys of all accounts.",
        discussion: """
            For an installation that moves to another host, where nobody could use them. Passwords stay; who has none gets one by \
            nephos account password. Who is signed in stays so.

            Example:

              nephos account drop-passkeys --yes
            """,
        .yes
    ) { call, isSure in
        try call.confirm("This removes the passkeys of all accounts.", unless: isSure)
        return .note("Removed: \(try call.administration.dropPasskeys()) passkeys.")
    }

    fileprivate static let setToken = UseCase(
        "token set", .changes, abstract: "Say where an API token lets people sign in and sign up.",
        discussion: """
            People can sign in for the app that has the token on pages of the origins that are said here, and where they are \
            sent back to one of its callbacks; a new token has neither. An origin is scheme and host, and the port where it is \
            not the usual one; the word loopback stands for this machine, with any port. A callback is an address of https, or \
            one by a scheme of the app's own. What is said takes the place of what was said before; an empty text takes all away.

            Whether people may make accounts is said here and by the settings of the container (people.signUp): it takes both.

            Examples:

              nephos token set iCloud.com.example.app 8f14e45f \\
                --origins https://app.example.org,loopback
              nephos token set iCloud.com.example.app 8f14e45f \\
                --callback com.example.app://signed-in
              nephos token set iCloud.com.example.app 8f14e45f --sign-up yes
              nephos token set iCloud.com.example.app 8f14e45f --origins ''
            """,
        .tenant, Input<String>.argument("id", help: "The token's id, or the beginning of that."),
        Input<String?>.option("origins", help: "*, or origins with commas between them."),
        Input<String?>.option(
            "callback", valueName: "url", help: "Addresses with commas between them, the first for who names none."),
        Input<String?>.option("sign-up", help: "yes or no: whether people may make accounts for the app.")
    ) { call, tenant, id, origins, callback, signUp in
        guard origins != nil || callback != nil || signUp != nil else {
            throw Failure("Say what to set: --origins, --callback or --sign-up.", kind: .wrongUsage)
        }
        let origins = try origins.map { try AllowedOrigins($0) }
        let callbacks = try callback.map { try TokenTermsRow.callbacks($0) }
        let signsUp = try signUp.map { word throws(Failure) in
            guard word == "yes" || word == "no" else { throw Failure("--sign-up is yes or no.", kind: .wrongUsage) }
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
                + "\(terms.signsUp ? "Those without an account can make one, if the settings of the container say so." : "Nobody can make an account.")"
        )
    }
}

extension Input where Value == String? {
    fileprivate static var passwordFile: Input {
        option("password-file", valueName: "file", help: "A file with the password alone, or - to hand it in.")
    }
    fileprivate static var refusedPasswords: Input {
        option("refused", valueName: "file", help: "A file with passwords that are refused, one on a line.")
    }
}
