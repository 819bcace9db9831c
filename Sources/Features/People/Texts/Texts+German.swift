extension Texts {
    static let german = Texts(
        signIn: .german, passkeys: .german,
        links: LinkTexts(
            signUp: "Konto anlegen",
            signUpLead: "Gib deine Adresse ein. Du bekommst eine Mail mit einem Link und wählst dort ein Passwort.",
            chooseLead: "Gib deine Adresse ein und wähle ein Passwort.",
            recover: "Neues Passwort wählen",
            recoverLead:
                "Gib die Adresse deines Kontos ein. Du bekommst eine Mail mit einem Link und wählst dort ein neues Passwort.",
            send: "Link schicken", sent: "Sieh in deine Mails",
            sentText:
                "Wenn sich mit % etwas machen lässt, ist eine Mail dorthin unterwegs. Ihr Link gilt einmal. Nach ein paar Minuten ist nichts da? Sieh nach, wo unerwünschte Mails landen.",
            followed: "Ich bin ihm gefolgt: weiter", ready: "Hier bist du angemeldet",
            readyText: "Wenn du von einer App kommst, geh zu ihrem Fenster zurück, und mach dort weiter.",
            recoveredText:
                "Alle anderen Browser sind von diesen Seiten abgemeldet. Sieh dein Konto an: entferne Passkeys, die du nicht kennst, und melde Apps ab, die nicht deine sind.",
            signInFirst: "Melde dich zuerst an",
            signInFirstText: "Melde dich hier mit dem Konto an, und folge dem Link noch einmal.",
            badAddress: "An diese Adresse kann keine Mail gehen. Prüfe sie und versuche es noch einmal.",
            badName: "Ein Name hat höchstens 255 Bytes auf einer Zeile.",
            noMail: "Dieser Server verschickt keine Mails",
            noMailText: "Darum kann dir nichts geschickt werden. Frag, wer ihn betreibt.",
            noPublicURLText:
                "Wer ihn betreibt, muss zuerst einstellen, unter welcher Adresse man ihn erreicht (--public-url). Vorher verschickt er keine Links. Frag dort.",
            tooMany: "Es wurden zu viele Mails verlangt",
            tooManyMade: "Zu viele Konten wurden angelegt",
            tooManyText: "Von dort, wo du bist, geht heute keine mehr. Versuche es morgen noch einmal.",
            closed: "Hier kann niemand ein Konto anlegen",
            closedText: "Das entscheidet, wer diese App betreibt. Frag dort.",
            noApp: "Geh zuerst zu einer App", noAppText: "Konten gibt es für Apps. Wähle dort, eines anzulegen.",
            signUpTitle: "Lege dein Konto an", recoverTitle: "Neues Passwort wählen", changeTitle: "Adresse ändern",
            isYours: "Es geht um %.", name: "Dein Name (wenn du magst)", proceed: "Weiter",
            changed: "Die Adresse ist geändert",
            changedText: "Ab jetzt meldest du dich mit % an.",
            expired: "Dieser Link ist unvollständig oder gilt nicht mehr",
            expiredText: "Er gilt einmal und eine Weile. Lass dir dort einen neuen schicken, wo du ihn herhast.",
            taken: "Diese Adresse hat schon jemand",
            takenText: "Es gibt ein Konto mit ihr. Melde dich an oder wähle ein neues Passwort.",
            signUpSubject: "Lege dein Konto an",
            signUpMail: """
                Jemand, wahrscheinlich du, möchte mit dieser Adresse ein Konto auf % anlegen%.

                Öffne das, um fortzufahren. Es gilt einmal und einen Tag lang:

                %

                Du warst es nicht? Dann tu nichts: es gibt kein Konto.

                """,
            recoverSubject: "Neues Passwort wählen",
            recoverMail: """
                Jemand, wahrscheinlich du, möchte für das Konto mit dieser Adresse auf % ein neues Passwort wählen%.

                Öffne das, um fortzufahren. Es gilt einmal und eine Stunde lang:

                %

                Du warst es nicht? Dann tu nichts: dein Passwort bleibt.

                """,
            knownSubject: "Du hast ein Konto",
            knownMail: """
                Jemand, wahrscheinlich du, möchte mit dieser Adresse ein Konto auf % anlegen%.

                Es gibt schon eines. Melde dich damit an. Wenn du dein Passwort nicht mehr weißt, wähle ein neues:

                %

                Du warst es nicht? Dann tu nichts.

                """,
            toApp: ", um sich bei % anzumelden",
            changeSubject: "Die Adresse deines Kontos ändern",
            changeMail: """
                Wer das Konto % auf % hat, möchte sich künftig mit dieser Adresse anmelden.

                Öffne das, um fortzufahren. Es gilt einmal und einen Tag lang:

                %

                Du warst es nicht? Dann tu nichts.

                """,
            noticeSubject: "Dein Konto wurde geändert",
            noticeMail: """
                Dein Konto %% wurde geändert:

                %

                Du warst es nicht? %

                """,
            atServer: " auf %",
            resetIt:
                "Dann wähle sofort ein neues Passwort, und entferne danach Passkeys und Apps, die du nicht kennst:\n\n%",
            askOperator: "Dann wende dich sofort an den Betreiber dieses Servers.",
            passwordChanged: "Es hat ein neues Passwort, und alle anderen Browser sind abgemeldet.",
            passkeyAdded: "Ein Passkey kam dazu.", addressChanged: "Seine E-Mail-Adresse ist jetzt %."),
        passwords: PasswordTexts(
            new: "Neues Passwort", hint: "Mindestens 10 Zeichen. Ein Satz merkt sich leicht.",
            length: "Wähle ein Passwort mit mindestens 10 Zeichen und höchstens 1.024 Bytes.",
            oneCharacter: "Ein Passwort ist nicht immer wieder dasselbe Zeichen. Wähle ein anderes.",
            partOfAddress: "Ein Passwort enthält keinen Teil deiner Adresse. Wähle ein anderes.",
            listed: "Dieses Passwort kennen zu viele. Wähle ein anderes."),
        account: AccountTexts(
            title: "Dein Konto", email: "Adresse", name: "Name", save: "Speichern",
            saved: "Das ist gespeichert.", password: "Passwort", hasPassword: "Du meldest dich mit einem Passwort an.",
            noPassword: "Du hast kein Passwort.", current: "Bisheriges Passwort", changePassword: "Passwort ändern",
            wrongPassword: "Das bisherige Passwort stimmt nicht. Nichts wurde geändert.", changeEmail: "Adresse ändern",
            newEmail: "Neue Adresse", passkeys: "Passkeys",
            passkeysText: "Mit einem Passkey meldest du dich mit Finger, Gesicht oder PIN an und tippst nichts.",
            passkeyName: "Name des Passkeys", removePasskey: "Entfernen", browsers: "Wo du angemeldet bist",
            browsersText: "Browser, die auf diesen Seiten angemeldet sind. Apps stehen weiter unten.",
            thisOne: "dieser hier", lastUsed: "zuletzt benutzt", fromHere: "dieser Rechner", end: "Dort abmelden",
            apps: "Apps",
            appsText: "Apps, die in deinem Namen handeln dürfen.", noApps: "Noch keine.", allowed: "erlaubt",
            takeBack: "Abmelden und wieder fragen", signOut: "Abmelden", everywhere: "Überall abmelden",
            everywhereText: "Beendet diese Sitzung und alle anderen, auch die aller Apps.",
            again: "Zu viele Versuche. Versuche es in % Sekunden noch einmal.",
            notFresh: "Deine Anmeldung ist zu lange her. Melde dich ab und wieder an, und ändere es dann."),
        accesses: AccessTexts(
            subject: "Wer den Server betreibt, hat dein Konto benutzt",
            mail: """
                Es geht um dein Konto %.

                Um % (UTC) hat % dies getan: %
                Der Grund: %

                Alles davon siehst du unter /account. Wenn du nicht weißt, warum, frag nach.
                """,
            title: "Jemand hat dein Konto benutzt",
            text:
                "Wer diesen Server betreibt, hat dies getan. Wenn du nicht weißt, warum, frag nach.",
            choosePassword: "Wähle unter /account ein anderes Passwort: bis dahin siehst du das bei jeder Anmeldung.",
            letByYou: "du hast es erlaubt",
            proceed: "Das habe ich gesehen: weiter", session: "in einer App in deinem Namen angemeldet",
            password: "deinem Konto ein anderes Passwort gegeben",
            export: "in eine Datei geschrieben, was von dir gespeichert ist",
            external: "dich für die eigene Anmeldung angemeldet",
            shares: "nachgesehen, mit wem du etwas teilst, nicht was", revocation: "beendet, dass du etwas teilst",
            help: "Hilfe vom Betreiber",
            helpText:
                "An das, was Apps hier für dich aufbewahren, kommst nur du, es sei denn, du erlaubst es, etwa damit dir jemand hilft. Alles davon steht unten.",
            days: "Für wie viele Tage, 1 bis 7", letIn: "Erlauben, in deinem Namen zu handeln",
            takeBack: "Zurücknehmen", isLetIn: "Erlaubt bis %.", record: "Was geschah", by: "von %"),
        device: DeviceTexts(
            title: "In einem Programm anmelden", lead: "Tippe den Code, den das Programm oder Gerät dir zeigt.",
            code: "Code",
            wrong: "Mit diesem Code wartet kein Programm. Prüfe ihn; ein Code gilt zehn Minuten und einmal.",
            asks: "Ein Programm von %, bittet dich, dich anzumelden.", from: "Gefragt von", at: "Gefragt um",
            warning:
                "Hat dir jemand diesen Code gegeben oder dich hierher geschickt? Dann erlaube es nicht: er käme an deiner Stelle "
                + "hinein. Erlaube nur ein Programm, das du gerade selbst gestartet hast.",
            no: "Nicht erlauben", done: "Das Programm ist angemeldet",
            doneText:
                "Du kannst diese Seite schließen und zum Programm zurückgehen. Unter /account kannst du es wieder abmelden.",
            refused: "Das Programm ist nicht angemeldet", refusedText: "Es erfährt, dass du nicht willst.",
            expired: "Dieser Code gilt nicht mehr",
            expiredText: "Er gilt einmal und zehn Minuten. Lass dir vom Programm einen neuen zeigen.",
            byCode: "ein Programm, mit einem Code"),
        leaving: LeavingTexts(
            export: "Was über dich gespeichert ist",
            exportLead:
                "Dein Konto und alles, was du in Apps aufbewahrst oder dort veröffentlicht hast, mit Dateien, als ZIP-Datei.",
            exportButton: "Herunterladen",
            exportBusy:
                "Du lädst es schon herunter, oder zu viele andere tun es. Warte, bis das fertig ist, und versuche es dann noch einmal.",
            delete: "Konto löschen",
            deleteLead:
                "Du wirst sofort überall abgemeldet. In sieben Tagen wird alles gelöscht, was du in Apps aufbewahrst; bis dahin kannst du dich anmelden und dein Konto behalten.",
            takesPublic: "Auch löschen, was ich in Apps veröffentlicht habe", deleteButton: "Mein Konto löschen",
            asked: "Dein Konto wird gelöscht",
            askedText: "Das geschieht am %. Wenn du es dir vorher anders überlegst, melde dich an.",
            keep: "Konto behalten?",
            keepLead: "Das Konto % soll am % gelöscht werden. Bis dahin kannst du es behalten.",
            keepButton: "Mein Konto behalten", leave: "Löschen lassen", tooLate: "Es ist zu spät",
            tooLateText:
                "Dieses Konto wird gerade gelöscht. Danach lässt sich mit seiner Adresse ein neues anlegen.",
            subject: "Dein Konto wird gelöscht",
            mail: """
                Dein Konto %% wird am % gelöscht, mit allem, was du dort in Apps aufbewahrst. Es ist überall abgemeldet.

                Du hast es dir anders überlegt, oder du warst es nicht? Dann melde dich vorher an, und behalte es%

                """))
}

extension SignInTexts {
    static let german = SignInTexts(
        language: "de", title: "Anmelden", email: "E-Mail-Adresse", password: "Passwort", keep: "Angemeldet bleiben",
        signIn: "Anmelden", cancel: "Abbrechen", allow: "Erlauben", asks: "%, auf %, bittet dich, dich anzumelden.",
        sees:
            "Sie bekommt eine Kennung, die nur in dieser App für dich steht, und kann lesen und ändern, was du darin aufbewahrst. "
            + "Deine Adresse und dein Passwort bekommt sie nicht.",
        asksConsent: "Darf diese App in deinem Namen handeln?", signedInAs: "Du bist als % angemeldet.",
        proceed: "Weiter", other: "Anderes Konto", signUp: "Konto anlegen", forgot: "Passwort vergessen?",
        wrong: "Adresse oder Passwort stimmen nicht. Prüfe beides und versuche es noch einmal.",
        wait: "Das waren zu viele Versuche. Versuche es in % Sekunden noch einmal.",
        busy: "Gerade melden sich viele an. Versuche es in ein paar Sekunden noch einmal.",
        done: "Du bist angemeldet", doneText: "Du kannst dieses Fenster schließen und zur App zurückgehen.",
        refused: "Du bist nicht angemeldet",
        refusedText: "Du kannst dieses Fenster schließen. Die App weiß, dass du nicht willst.",
        failed: "Das ging nicht",
        failedText: "Der Server konnte dich nicht anmelden. Geh zur App zurück und versuche es später noch einmal.",
        expired: "Diese Seite ist abgelaufen",
        expiredText: "Geh zur App zurück und wähle dort noch einmal, dich anzumelden.",
        unknown: "Hier kann man sich nirgends anmelden",
        unknownText: "Ist die Adresse vollständig? Geh zur App zurück und wähle dort noch einmal, dich anzumelden.",
        notAllowed: "Von dort kann sich niemand anmelden",
        notAllowedText: "Die App auf % darf niemanden anmelden. Wer sie betreibt, kann das ändern.",
        noOrigin: "Diese App kann nicht erfahren, dass du dich anmeldest",
        noOriginText:
            "Sie hat nicht gesagt, auf welcher Seite des Webs sie ist, und hat keine Adresse, an der es weitergeht.",
        notSafe: "Diese Seite ist nicht sicher",
        notSafeText:
            "Passwörter tippt man nicht, wo andere mithören können. Wer diesen Server betreibt, muss ihn über https anbieten.",
        foreignForm: "Dieses Formular gilt nicht",
        foreignFormText:
            "Es ist zu alt, kam von anderswo, oder dieser Browser nimmt keine Cookies. Geh zur App zurück und wähle dort "
            + "noch einmal, dich anzumelden.")
}

extension PasskeyTexts {
    static let german = PasskeyTexts(
        use: "Mit einem Passkey anmelden", make: "Passkey hinzufügen",
        noneUsed:
            "Es wurde kein Passkey benutzt. Versuche es noch einmal, oder melde dich mit Adresse und Passwort an.",
        noneMade:
            "Es wurde kein Passkey hinzugefügt. Versuche es noch einmal; wenn dieses Gerät schon einen für dich hat, braucht es "
            + "keinen zweiten.",
        unreadable:
            "Was dieser Browser gesendet hat, ist kein Passkey. Versuche es noch einmal, oder mit einem anderen Browser.",
        expired: "Das hat zu lange gedauert oder wurde schon einmal gesendet. Versuche es noch einmal.",
        elsewhere:
            "Dieser Passkey gehört zu einer anderen Website, oder eine andere hat nach ihm gefragt. Schließe dieses Fenster, geh zur "
            + "App zurück und versuche es von dort noch einmal.",
        unverified:
            "Dein Gerät hat nicht geprüft, ob du es bist. Richte seine Bildschirmsperre, einen Fingerabdruck oder eine PIN ein "
            + "und versuche es noch einmal.",
        unsupported:
            "Passkeys dieser Art werden hier nicht angenommen. Füge einen hinzu, den ein anderes Gerät oder Programm aufbewahrt.",
        unknown:
            "Diesen Passkey hat hier niemand, oder nicht mehr. Melde dich mit einem anderen an, oder mit Adresse und Passwort.",
        cloned:
            "Von diesem Passkey scheint es eine Kopie zu geben, darum lässt er niemanden hinein. Melde dich anders an und entferne "
            + "ihn aus deinem Konto.",
        taken: "Diesen Passkey hat schon ein Konto. Füge einen anderen hinzu.",
        onlyWay:
            "Ohne diesen Passkey könntest du dich nicht mehr anmelden. Füge einen anderen hinzu oder setze ein Passwort, dann "
            + "entferne ihn.",
        tooMany:
            "Ein Konto hat höchstens % Passkeys. Entferne einen, den du nicht benutzt, dann füge einen anderen hinzu.",
        badName: "Ein Name hat 1 bis % Byte auf einer Zeile. Wähle einen anderen.")
}
