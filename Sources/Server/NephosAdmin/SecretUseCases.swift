package import NephosRunner
import NephosStorage

extension UseCaseGroup {
    /// - Parameter features: The features of the program.
    package static func secrets(of features: [Feature]) -> UseCaseGroup {
        UseCaseGroup(
            "secret", abstract: "Change the key under which secrets are sealed.",
            discussion: """
                What signs tokens, links, webhooks and pushes is sealed in the store under a key that the store does not have. \
                docs/running.md says where it is kept, and that a backup needs both.
                """,
            [UseCase.secretStatus, UseCase.newSecretKey, UseCase.rotateSecrets, UseCase.resetSecrets(of: features)])
    }
}

extension UseCase {
    fileprivate static let secretStatus = UseCase(
        "secret status", .reads, abstract: "Say how the secrets of a store are sealed."
    ) { call in
        guard let secrets = try call.engine.secrets else { return .nothing }
        let names = try secrets.secretNames()
        if names.next != 0 {
            return .text("being sealed under another key of \(secrets.secretKeys.place): nephos secret rotate goes on")
        }
        return .text(names.key == 0 ? "in the clear" : "sealed under a key of \(secrets.secretKeys.place)")
    }

    fileprivate static let newSecretKey = UseCase(
        "secret new", .reads, store: .none, abstract: "Print a new key.",
        discussion: """
            Example:

              (umask 077; nephos secret new > /etc/nephos/secret.key)
            """
    ) { _ in .text(SecretKey.random().text) }

    fileprivate static let rotateSecrets = UseCase(
        "secret rotate", .changes, abstract: "Seal all secrets under another key.",
        discussion: """
            It runs beside servers, and goes on where it stopped when it is run again. A folder gets its next key by \
            itself. For a database write the next key above the others in the file that NEPHOS_SECRET_KEY_FILE names, \
            for all servers, before; when it is over, the others may go.
            """
    ) { call in
        let report = try await call.administration.rotateSecrets { place, rows in
            call.progress("\(place): \(rows) rows")
        }
        return report.answer("sealed", left: "so it is not over", call)
    }

    fileprivate static func resetSecrets(of features: [Feature]) -> UseCase {
        UseCase(
            "secret reset", .destroys, store: .existingWithoutKey, abstract: "Throw secrets away whose key is lost.",
            discussion: """
                Records, files, accounts, API tokens and server keys stay. Everybody signs in again, devices fetch \
                everything anew, webhooks and keys for push services are to be made again, and so is a mail server that \
                somebody logs in to. Mails that wait go. Stop all servers before.
                """,
            .yes
        ) { call, isSure in
            try call.confirm(
                "This ends all sessions and removes all webhooks and keys for push services.", unless: isSure)
            let report = try await call.administration.resetSecrets(of: features) { place, rows in
                call.progress("\(place): \(rows) rows")
            }
            return report.answer("removed", left: "with secrets that nobody can open", call)
        }
    }
}

extension SecretReport {
    /// - Parameters:
    ///   - what: What was done with rows.
    ///   - meaning: What it means that rows are left.
    fileprivate func answer(_ what: String, left meaning: String, _ call: any UseCaseCall) -> UseCaseAnswer {
        call.progress("")
        let names = "\(left) rows are damaged and stay as they are, \(meaning): \(call.command("check")) names them."
        return .text("\(done) \(what)").failing(left == 0 ? nil : names)
    }
}
