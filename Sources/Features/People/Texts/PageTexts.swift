import NephosRunner

/// What is said of passwords that are chosen.
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

/// What pages and mails about links say.
struct LinkTexts: Sendable {
    let signUp, signUpLead, chooseLead, recover, recoverLead, send: String
    /// With the address in the place of `%`.
    let sent, sentText: String
    let followed: String
    let ready, readyText, recoveredText: String
    let signInFirst, signInFirstText: String
    let badAddress, badName: String
    let noMail, noMailText, tooMany, tooManyMade, tooManyText: String
    let closed, closedText, noApp, noAppText: String
    let signUpTitle, recoverTitle, changeTitle: String
    /// With the address in the place of `%`.
    let isYours: String
    let name, goOn: String
    /// With the address in the place of `%`.
    let changed, changedText: String
    let over, overText, taken, takenText: String
    /// With this server in the first place of `%`, and the link in the second.
    let signUpSubject, signUpMail, recoverSubject, recoverMail, knownSubject, knownMail: String
    /// With the account's address in the first place of `%`, this server in the second, and the link in the third.
    let changeSubject, changeMail: String
    /// With the account's address in the first place of `%`, this server in the second, what was done in the third, and what to do in the fourth.
    let noticeSubject, noticeMail: String
    /// With where a password is reset in the place of `%`.
    let resetIt: String
    let askOperator: String
    let passwordChanged, passkeyAdded: String
    /// With the new address in the place of `%`.
    let addressChanged: String
}

/// What the page of an account says.
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

/// What is said where somebody else was let in to what a person keeps.
struct AccessTexts: Sendable {
    /// Of a mail: with the account's address, when, who, what and why in the places of `%`.
    let subject, mail: String
    /// Of the page at the next sign-in.
    let title, text, choosePassword: String
    /// In the place of a reason.
    let letByYou, goOn: String
    let session, password, export, external: String
    /// Of the account: help by an operator.
    let help, helpText, days, letIn, takeBack: String
    /// With when it ends in the place of `%`.
    let isLetIn: String
    let record: String
    /// With who in the place of `%`.
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
        }
    }
}

/// What the pages for codes of programs say.
struct DeviceTexts: Sendable {
    let title, lead, code, wrong: String
    /// With the app in the place of `%`.
    let asks: String
    let from, at, warning, no: String
    let done, doneText, refused, refusedText, over, overText: String
    /// Where an app is that was allowed so.
    let byCode: String
}
