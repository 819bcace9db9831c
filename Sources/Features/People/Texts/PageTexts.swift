import NephosRunner

/// Texts about new passwords.
struct PasswordTexts: Sendable {
    let new, hint: String
    let length, oneCharacter, partOfAddress, listed: String

    func fault(_ fault: Password.Fault) -> String {
        switch fault {
        case .length: length
        case .oneCharacter: oneCharacter
        case .partOfAddress: partOfAddress
        case .listed: listed
        }
    }
}

/// Texts of pages and mails about links.
struct LinkTexts: Sendable {
    let signUp, signUpLead, chooseLead, recover, recoverLead, send: String
    /// `%` is the address.
    let sent, sentText: String
    let followed: String
    let ready, readyText, recoveredText: String
    let signInFirst, signInFirstText: String
    let badAddress, badName: String
    let noMail, noMailText, noPublicURLText, tooMany, tooManyMade, tooManyText: String
    let closed, closedText, noApp, noAppText: String
    let signUpTitle, recoverTitle, changeTitle: String
    /// `%` is the address.
    let isYours: String
    let name, proceed: String
    /// `%` is the address.
    let changed, changedText: String
    let expired, expiredText, taken, takenText: String
    /// `%` is this server, ``toApp`` or nothing, and the link, in this order.
    let signUpSubject, signUpMail, recoverSubject, recoverMail, knownSubject, knownMail: String
    /// `%` is the app that sent the person.
    let toApp: String
    /// `%` is the account's address, this server, and the link, in this order.
    let changeSubject, changeMail: String
    /// `%` is the account's address, this server as ``atServer`` or nothing, what was done, and what to do, in this order.
    let noticeSubject, noticeMail: String
    /// `%` is this server.
    let atServer: String
    /// `%` is where a password is reset.
    let resetIt: String
    let askOperator: String
    let passwordChanged, passkeyAdded: String
    /// `%` is the new address.
    let addressChanged: String
}

/// Texts of the account page.
struct AccountTexts: Sendable {
    let title, email, name: String
    let save, saved: String
    let password, hasPassword, noPassword, current, changePassword, wrongPassword: String
    let changeEmail, newEmail: String
    let passkeys, passkeysText, passkeyName, removePasskey: String
    let browsers, browsersText, thisOne, lastUsed, fromHere, end: String
    let apps, appsText, noApps, allowed, takeBack: String
    let signOut, everywhere, everywhereText: String
    let again: String
    let notFresh: String
}

/// Texts about accesses by others to a person's data.
struct AccessTexts: Sendable {
    /// Mail: `%` is the account's address, when, who, what and why, in this order.
    let subject, mail: String
    /// The page at the next sign-in.
    let title, text, choosePassword: String
    /// Shown in place of a reason.
    let letByYou, proceed: String
    let session, password, export, external, shares, revocation: String
    /// The account page: help by an operator.
    let help, helpText, days, letIn, takeBack: String
    /// `%` is when it ends.
    let isLetIn: String
    let record: String
    /// `%` is who.
    let by: String

    func mail(of access: AccessRow, to email: String) -> String {
        mail.filled(
            email, access.at.asDate, access.who, what(access.kind),
            access.reason.isEmpty ? letByYou : access.reason)
    }

    func what(_ kind: AccessRow.Kind) -> String {
        switch kind {
        case .grant: letIn
        case .session: session
        case .password: password
        case .export: export
        case .external: external
        case .shares: shares
        case .revocation: revocation
        }
    }
}

/// Texts of the pages for codes of programs.
struct DeviceTexts: Sendable {
    let title, lead, code, wrong: String
    /// `%` is the app.
    let asks: String
    let from, at, warning, no: String
    let done, doneText, refused, refusedText, expired, expiredText: String
    /// The place of an app that was allowed by a code.
    let byCode: String
}
