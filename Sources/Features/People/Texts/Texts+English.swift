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
                "If something can be done with %, a mail is on its way there. It has a link that works once. Nothing after a few minutes? Check your spam folder.",
            followed: "I followed the link: continue", ready: "You are signed in here",
            readyText: "If you came from an app, go back to its window, and continue there.",
            recoveredText:
                "All other browsers are signed out of these pages. Look at your account: remove passkeys that you do not know, and sign out apps that are not yours.",
            signInFirst: "Sign in first",
            signInFirstText: "Sign in to the account here, and follow the link once more.",
            badAddress: "This is not a valid e-mail address. Check it, and try again.",
            badName: "A name has at most 255 bytes, on one line.", noMail: "This server sends no mails",
            noMailText: "So nothing can be sent to you. Ask whoever runs it.", tooMany: "Too many mails were asked for",
            tooManyMade: "Too many accounts were made",
            tooManyText: "No more can be requested today from where you are. Try again tomorrow.",
            closed: "Nobody can create an account here", closedText: "Whoever runs this app decides that. Ask them.",
            noApp: "Go to an app first", noAppText: "Accounts are created for apps. Choose to create one there.",
            signUpTitle: "Create your account", recoverTitle: "Choose a new password",
            changeTitle: "Change your e-mail address",
            isYours: "This is for %.", name: "Your name (optional)", goOn: "Continue",
            changed: "Your e-mail address is changed",
            changedText: "From now on you sign in with %.", over: "This link has expired",
            overText: "It works once, and for a limited time. Request another where you got it.",
            taken: "This address is taken",
            takenText: "There is an account with it. Sign in, or reset its password.",
            signUpSubject: "Create your account",
            signUpMail: """
                Somebody, most likely you, wants to create an account with this address at %.

                Open this link to continue. It works once, within a day:

                %

                If it was not you, ignore this mail: there is no account.

                """,
            recoverSubject: "Reset your password",
            recoverMail: """
                Somebody, most likely you, wants to reset the password of the account with this address at %.

                Open this link to continue. It works once, within an hour:

                %

                If it was not you, ignore this mail: your password stays.

                """,
            knownSubject: "You already have an account",
            knownMail: """
                Somebody, most likely you, wants to create an account with this address at %.

                There is one already: sign in with it. If you forgot your password, reset it here:

                %

                If it was not you, ignore this mail.

                """,
            changeSubject: "Change the e-mail address of your account",
            changeMail: """
                Whoever has the account % at % wants to sign in with this address instead.

                Open this link to continue. It works once, within a day:

                %

                If it was not you, ignore this mail.

                """,
            noticeSubject: "Your account was changed",
            noticeMail: """
                Your account % at % was changed:

                %

                If it was not you, %

                """,
            resetIt: "reset your password at once, and then remove passkeys and apps that you do not know:\n\n%",
            askOperator: "write to whoever runs this server at once.",
            passwordChanged: "Its password is another now, and all other browsers are signed out.",
            passkeyAdded: "A passkey was added.", addressChanged: "Its e-mail address is % now."),
        passwords: PasswordTexts(
            new: "New password", hint: "At least 10 characters. A sentence is easy to remember.",
            length: "A password has 10 to 1,024 bytes. Choose one of that length.",
            oneCharacter: "A password is not one character again and again. Choose another.",
            partOfAddress: "A password does not contain a part of your address. Choose another.",
            listed: "This password is known to too many. Choose another."),
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
            appsText: "Apps that may act as you.", noApps: "None yet.", allowed: "allowed",
            takeBack: "Sign out, and ask me again",
            signOut: "Sign out", everywhere: "Sign out everywhere",
            everywhereText: "Ends this session and all others, and those of all apps.",
            again: "Too many attempts. Try again in % seconds.",
            notFresh: "It is too long ago that you signed in. Sign out, sign in again, and change it then."),
        accesses: AccessTexts(
            subject: "Somebody who runs the server used your account",
            mail: """
                This is about your account %.

                At % (UTC), % did this: %
                Their reason: %

                You see all of it at /account. If you do not know why, ask them.
                """,
            title: "Somebody used your account",
            text: "Whoever runs this server did this. If you do not know why, ask them.",
            choosePassword: "Choose another password at /account: until you do, you see this each time you sign in.",
            letByYou: "you let them",
            goOn: "I have seen this: continue", session: "signed in to an app as you",
            password: "gave your account another password", export: "wrote what is stored of you to a file",
            external: "signed you in for their own login", help: "Help from whoever runs the server",
            helpText:
                "Nobody but you gets at what apps keep for you here, unless you let them: to help you, for example. All of it is on record below.",
            days: "For how many days, 1 to 7", letIn: "Let them act as you", takeBack: "Take it back",
            isLetIn: "They may act as you until %.", record: "On record", by: "by %"),
        device: DeviceTexts(
            title: "Sign in to a program", lead: "Type the code that the program or device shows you.", code: "Code",
            wrong: "No program waits with this code. Check it; a code is good for ten minutes, and once.",
            asks: "A program of %, asks you to sign in.", from: "Asked from", at: "Asked at",
            warning:
                "Did somebody else give you this code, or tell you to come here? Then do not allow it: they would get in as you. "
                + "Allow only a program that you have started yourself just now.",
            no: "Do not allow", done: "The program is signed in",
            doneText: "You can close this page and go back to the program. At /account you can sign it out again.",
            refused: "The program is not signed in", refusedText: "It is told that you said no.",
            over: "This code has expired",
            overText: "It works once, and for ten minutes. Have the program show you another.",
            byCode: "a program, by a code"),
        leaving: LeavingTexts(
            export: "What is stored of you",
            exportLead:
                "Your account, and everything that you keep in apps or have published there, with files, as a ZIP file.",
            exportButton: "Download",
            exportBusy:
                "You are downloading it already, or too many others are. Wait until that is over, then try again.",
            delete: "Delete your account",
            deleteLead:
                "You are signed out everywhere at once. In seven days everything that you keep in apps is deleted; until then you can sign in and keep your account.",
            takesPublic: "Delete what I have published in apps, too", deleteButton: "Delete my account",
            asked: "Your account will be deleted",
            askedText: "It goes on %. If you change your mind before, sign in.",
            keep: "Keep your account?", keepLead: "The account % is to be deleted on %. Until then you can keep it.",
            keepButton: "Keep my account", leave: "Let it be deleted", tooLate: "It is too late",
            tooLateText:
                "This account is being deleted. Once that is over, somebody can create a new one with its address.",
            subject: "Your account will be deleted",
            mail: """
                Your account % at % will be deleted on %, with all that you keep in apps there. It is signed out everywhere.

                If you change your mind, or if it was not you, sign in before that, and keep it:

                %

                """))
}

extension SignInTexts {
    static let english = SignInTexts(
        language: "en", title: "Sign in", email: "E-mail address", password: "Password", keep: "Keep me signed in",
        signIn: "Sign in", cancel: "Cancel", allow: "Allow", asks: "%, at %, asks you to sign in.",
        sees:
            "It gets an identifier that stands for you in this app alone, and can read and change what you keep in it. "
            + "It does not get your address or your password.",
        asksConsent: "Let this app act as you?", signedInAs: "You are signed in as %.", goOn: "Continue",
        other: "Use another account", signUp: "Create an account", forgot: "Forgot your password?",
        wrong: "Address or password are wrong. Check both, and try again.",
        wait: "There were too many attempts. Try again in % seconds.",
        busy: "Many people are signing in. Try again in a few seconds.",
        done: "You are signed in", doneText: "You can close this window and go back to the app.",
        refused: "You are not signed in", refusedText: "You can close this window. The app knows that you said no.",
        failed: "That did not work",
        failedText: "The server could not sign you in. Go back to the app, and try again later.",
        over: "This page has expired", overText: "Go back to the app, and choose there to sign in once more.",
        unknown: "There is nothing to sign in to here",
        unknownText: "Is the address whole? Go back to the app, and choose there to sign in once more.",
        notAllowed: "Nobody can sign in from there",
        notAllowedText: "The app at % is not allowed to sign people in. Whoever runs it can change that.",
        noOrigin: "This app cannot be told that you sign in",
        noOriginText: "It did not say on which page of the web it is, and has no address to go back to.",
        notSafe: "This page is not safe",
        notSafeText:
            "Passwords are not typed where others may listen. Whoever runs this server has to offer it by https.",
        foreignForm: "This form cannot be used",
        foreignFormText:
            "It is too old, or came from elsewhere, or this browser takes no cookies. Go back to the app, and choose "
            + "there to sign in once more.")
}

extension PasskeyTexts {
    static let english = PasskeyTexts(
        use: "Sign in with a passkey", make: "Add a passkey",
        noneUsed: "No passkey was used. Try again, or sign in with address and password.",
        noneMade: "No passkey was added. Try again; if this device has one for you, it needs no other.",
        unreadable: "What this browser sent is no passkey. Try again, or with another browser.",
        over: "That took too long, or was sent before. Try again.",
        elsewhere:
            "This passkey is of another site, or was asked for by one. Close this window, go back to the app, and try again "
            + "from there.",
        unverified:
            "Your device did not make sure that it is you. Set up its screen lock, a fingerprint or a PIN, and try again.",
        unsupported: "Passkeys of this kind are not taken here. Add one that is kept by another device or program.",
        unknown: "Nobody has this passkey here, or not any more. Sign in with another, or with address and password.",
        cloned:
            "There seems to be a copy of this passkey, so it lets nobody in. Sign in another way, and remove it from your "
            + "account.",
        taken: "An account has this passkey already. Add another.",
        onlyWay: "You could not sign in without this passkey. Add another or set a password, then remove it.",
        tooMany: "An account has at most % passkeys. Remove one that you do not use, then add another.",
        badName: "A name has 1 to % bytes on one line. Choose another.")
}
