extension Texts {
    static let english = Texts(
        signIn: .english, passkeys: .english,
        links: LinkTexts(
            signUp: "Create an account",
            signUpLead: "Type your e-mail address. You get a mail with a link, and choose a password there.",
            chooseLead: "Type your e-mail address, and choose a password.",
            recover: "Reset your password",
            recoverLead:
                "Type the e-mail address of your account. You get a mail with a link, and choose a new password there.",
            send: "Send me a link", sent: "Check your mail",
            sentText:
                "If this is possible for %, a mail is on its way there. It contains a link that works once. If nothing arrives within a few minutes, check your spam folder.",
            followed: "I followed the link: continue", ready: "You are signed in here",
            readyText: "If you came from an app, go back to its window, and continue there.",
            recoveredText:
                "All other browsers are signed out of these pages. Check your account: remove passkeys that you do not know, and sign out apps that are not yours.",
            signInFirst: "Sign in first",
            signInFirstText: "Sign in to the account here, and follow the link again.",
            badAddress: "This is not a valid e-mail address. Check it, and try again.",
            badName: "A name must have at most 255 bytes, on one line.", noMail: "This server sends no mails",
            noMailText: "So nothing can be sent to you. Ask the operator of this server.",
            noPublicURLText:
                "Its operator has to set the address at which people reach it (--public-url) before it sends links to anybody. Ask them.",
            tooMany: "Too many mails were requested",
            tooManyMade: "Too many accounts were created",
            tooManyText: "No more can be requested from your network today. Try again tomorrow.",
            closed: "Nobody can create an account here", closedText: "The operator of this app decides that. Ask them.",
            noApp: "Go to an app first", noAppText: "Accounts are created for apps. Choose to create one there.",
            signUpTitle: "Create your account", recoverTitle: "Choose a new password",
            changeTitle: "Change your e-mail address",
            isYours: "This is for %.", name: "Your name (optional)", proceed: "Continue",
            changed: "Your e-mail address is changed",
            changedText: "From now on you sign in with %.", expired: "This link is incomplete or has expired",
            expiredText: "It works once, and for a limited time. Request another where you got it.",
            taken: "This address is taken",
            takenText: "There is an account with it. Sign in, or reset its password.",
            signUpSubject: "Create your account",
            signUpMail: """
                Someone, most likely you, wants to create an account with this address at %%.

                Open this link to continue. It works once, within a day:

                %

                If it was not you, ignore this mail: there is no account.

                """,
            recoverSubject: "Reset your password",
            recoverMail: """
                Someone, most likely you, wants to reset the password of the account with this address at %%.

                Open this link to continue. It works once, within an hour:

                %

                If it was not you, ignore this mail: your password stays.

                """,
            knownSubject: "You already have an account",
            knownMail: """
                Someone, most likely you, wants to create an account with this address at %%.

                There is one already: sign in with it. If you forgot your password, reset it here:

                %

                If it was not you, ignore this mail.

                """,
            toApp: ", to sign in to %",
            changeSubject: "Change the e-mail address of your account",
            changeMail: """
                The owner of the account % at % wants to sign in with this address instead.

                Open this link to continue. It works once, within a day:

                %

                If it was not you, ignore this mail.

                """,
            noticeSubject: "Your account was changed",
            noticeMail: """
                Your account %% was changed:

                %

                If it was not you, %

                """,
            atServer: " at %",
            resetIt: "reset your password immediately, and then remove passkeys and apps that you do not know:\n\n%",
            askOperator: "contact the operator of this server immediately.",
            passwordChanged: "Its password was changed, and all other browsers are signed out.",
            passkeyAdded: "A passkey was added.", addressChanged: "Its e-mail address is % now."),
        passwords: PasswordTexts(
            new: "New password", hint: "At least 10 characters. A sentence is easy to remember.",
            length: "Choose a password of at least 10 characters, and at most 1,024 bytes.",
            oneCharacter: "A password must not repeat a single character. Choose another.",
            partOfAddress: "A password must not contain a part of your address. Choose another.",
            listed: "This password is too common. Choose another."),
        account: AccountTexts(
            title: "Your account", email: "Address", name: "Name", save: "Save",
            saved: "Saved.", password: "Password", hasPassword: "You sign in with a password.",
            noPassword: "You have no password.", current: "Current password", changePassword: "Change the password",
            wrongPassword: "The current password is wrong. Nothing was changed.", changeEmail: "Change the address",
            newEmail: "New e-mail address", passkeys: "Passkeys",
            passkeysText: "With a passkey you sign in by fingerprint, face or PIN, and type nothing.",
            passkeyName: "Name of the passkey", removePasskey: "Remove", browsers: "Where you are signed in",
            browsersText: "Browsers that are signed in to these pages. Apps are below.", thisOne: "this one",
            lastUsed: "last used", fromHere: "this machine", end: "Sign out there", apps: "Apps",
            appsText: "Apps that can act as you.", noApps: "None yet.", allowed: "allowed",
            takeBack: "Sign out, and ask me again",
            signOut: "Sign out", everywhere: "Sign out everywhere",
            everywhereText: "Ends this session and all others, and those of all apps.",
            again: "Too many attempts. Try again in % seconds.",
            notFresh: "You signed in too long ago. Sign out, sign in again, and then change it."),
        accesses: AccessTexts(
            subject: "An operator of the server used your account",
            mail: """
                This is about your account %.

                At % (UTC), % did this: %
                Their reason: %

                You can see all accesses at /account. If you do not know why, ask the operator.
                """,
            title: "Someone used your account",
            text: "This was done by an operator of this server. If you do not know why, ask them.",
            choosePassword: "Choose another password at /account: until you do, you see this each time you sign in.",
            letByYou: "you allowed it",
            proceed: "I have seen this: continue", session: "signed in to an app as you",
            password: "gave your account another password", export: "exported your data to a file",
            external: "signed you in with their own login system",
            shares: "looked up whom you share with, not what", revocation: "ended sharing of yours",
            help: "Help from the operator",
            helpText:
                "Only you can get to what apps keep for you here, unless you let the operator act as you: to help you, for example. All accesses are listed below.",
            days: "For how many days, 1 to 7", letIn: "Let them act as you", takeBack: "Take it back",
            isLetIn: "They can act as you until %.", record: "Accesses", by: "by %"),
        device: DeviceTexts(
            title: "Sign in to a program", lead: "Type the code that the program or device shows you.", code: "Code",
            wrong: "No program is waiting with this code. Check it; a code works once, for ten minutes.",
            asks: "A program of %, asks you to sign in.", from: "Asked from", at: "Asked at",
            warning:
                "Did somebody else give you this code, or tell you to come here? Then do not allow it: they could act as you. "
                + "Allow only a program that you have started yourself just now.",
            no: "Do not allow", done: "The program is signed in",
            doneText: "You can close this page and go back to the program. At /account you can sign it out again.",
            refused: "The program is not signed in", refusedText: "It is notified that you did not allow it.",
            expired: "This code has expired",
            expiredText: "It works once, and for ten minutes. Have the program show you another.",
            byCode: "a program, by a code"),
        leaving: LeavingTexts(
            export: "What is stored of you",
            exportLead:
                "Your account, and everything that you keep in apps or have published there, with files, as a ZIP file.",
            exportButton: "Download",
            exportBusy:
                "You are already downloading it, or too many others are. Wait until that has ended, then try again.",
            delete: "Delete your account",
            deleteLead:
                "You are signed out everywhere immediately. In seven days everything that you keep in apps is deleted; until then you can sign in and keep your account.",
            takesPublic: "Delete what I have published in apps, too", deleteButton: "Delete my account",
            asked: "Your account will be deleted",
            askedText: "It will be deleted on %. If you change your mind before then, sign in.",
            keep: "Keep your account?", keepLead: "The account % is to be deleted on %. Until then you can keep it.",
            keepButton: "Keep my account", leave: "Let it be deleted", tooLate: "It is too late",
            tooLateText:
                "This account is being deleted. Afterwards, a new one can be created with its address.",
            subject: "Your account will be deleted",
            mail: """
                Your account %% will be deleted on %, with all that you keep in apps there. It is signed out everywhere.

                If you change your mind, or if it was not you, sign in before that, and keep it%

                """))
}

extension SignInTexts {
    static let english = SignInTexts(
        language: "en", title: "Sign in", email: "E-mail address", password: "Password", keep: "Keep me signed in",
        signIn: "Sign in", cancel: "Cancel", allow: "Allow", asks: "%, at %, asks you to sign in.",
        sees:
            "It gets an identifier that stands for you in this app alone, and can read and change what you keep in it. "
            + "It does not get your address or your password.",
        asksConsent: "Let this app act as you?", signedInAs: "You are signed in as %.", proceed: "Continue",
        other: "Use another account", signUp: "Create an account", forgot: "Forgot your password?",
        wrong: "The address or the password is wrong. Check both, and try again.",
        wait: "There were too many attempts. Try again in % seconds.",
        busy: "Many people are signing in. Try again in a few seconds.",
        done: "You are signed in", doneText: "You can close this window and go back to the app.",
        refused: "You are not signed in",
        refusedText: "You can close this window. The app knows that you did not allow it.",
        failed: "That did not work",
        failedText: "The server could not sign you in. Go back to the app, and try again later.",
        expired: "This page has expired", expiredText: "Go back to the app, and sign in again from there.",
        unknown: "There is nothing to sign in to here",
        unknownText: "Is the address complete? Go back to the app, and sign in again from there.",
        notAllowed: "Nobody can sign in from there",
        notAllowedText: "The app at % is not allowed to sign people in. Its operator can change that.",
        noOrigin: "This app cannot be notified of your sign-in",
        noOriginText: "It did not specify its web page, and has no address to go back to.",
        notSafe: "This page is not safe",
        notSafeText:
            "Do not type a password on a connection that others can read. The operator of this server has to provide https.",
        foreignForm: "This form cannot be used",
        foreignFormText:
            "It is too old, came from another site, or this browser does not accept cookies. Go back to the app, and sign "
            + "in again from there.")
}

extension PasskeyTexts {
    static let english = PasskeyTexts(
        use: "Sign in with a passkey", make: "Add a passkey",
        noneUsed: "No passkey was used. Try again, or sign in with address and password.",
        noneMade: "No passkey was added. Try again; if this device has one for you, it needs no other.",
        unreadable: "This browser did not send a valid passkey. Try again, or use another browser.",
        expired: "That took too long, or was already sent. Try again.",
        elsewhere:
            "This passkey belongs to another site, or was requested by one. Close this window, go back to the app, and try again "
            + "from there.",
        unverified:
            "Your device did not verify that it is you. Set up its screen lock, a fingerprint or a PIN, and try again.",
        unsupported:
            "Passkeys of this kind are not supported here. Add one that is stored by another device or program.",
        unknown: "This passkey does not belong to an account here. Sign in with another, or with address and password.",
        cloned:
            "There seems to be a copy of this passkey, so it cannot be used. Sign in another way, and remove it from your "
            + "account.",
        taken: "This passkey already belongs to an account. Add another.",
        onlyWay: "You could not sign in without this passkey. Add another or set a password, then remove it.",
        tooMany: "An account can have at most % passkeys. Remove one that you do not use, then add another.",
        badName: "A name must have 1 to % bytes on one line. Choose another.")
}
