package import NephosRunner
import NephosStorage

extension UseCaseGroup {
    /// - Parameter features: The features of the program.
    package static func secrets(of features: [Feature]) -> UseCaseGroup {
        UseCaseGroup(
            "secret", abstract: "Change the key that seals the secrets of a store.",
            discussion: """
                The secrets that sign tokens, links, webhooks and pushes are sealed in the store under a key that is kept outside of \
                it. A backup needs both; docs/running.md describes where the key is kept.
                """,
            [UseCase.secretStatus, UseCase.newSecretKey, UseCase.rotateSecrets, UseCase.resetSecrets(of: features)])
    }
}

extension UseCase {
    fileprivate static let secretStatus = UseCase(
        "secret status", .reads, abstract: "Show how the secrets of a store are sealed."
    ) { call in
        guard let secrets = try call.engine.secrets else { return .nothing }
        let names = try secrets.secretNames()
        if names.next != 0 {
            return .text(
                "being sealed under another key of \(secrets.secretKeys.place): continue with nephos secret rotate")
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
            It can run while servers run; if it is interrupted, run it again to continue. A data folder gets its next key \
            automatically. For a database, first write the next key above the others in the file that NEPHOS_SECRET_KEY_FILE \
            names, for all servers; when the rotation has finished, remove the others.
            """
    ) { call in
        let report = try await call.administration.rotateSecrets { place, rows in
            call.progress("\(place): \(rows) rows")
        }
        return report.answer("sealed", left: "so the rotation is not finished", call)
    }

    fileprivate static func resetSecrets(of features: [Feature]) -> UseCase {
        UseCase(
            "secret reset", .destroys, store: .existingWithoutKey, abstract: "Delete secrets whose key is lost.",
            discussion: """
                Records, files, accounts, API tokens and server keys stay. Everybody must sign in again, devices fetch everything \
                again, and webhooks, keys for push services and a mail server with a login must be configured again. Waiting mails \
                are deleted. Stop all servers first.
                """,
            .yes
        ) { call, isSure in
            try call.confirm(
                "This ends all sessions and removes all webhooks and keys for push services.", unless: isSure)
            let report = try await call.administration.resetSecrets(of: features) { place, rows in
                call.progress("\(place): \(rows) rows")
            }
            return report.answer("removed", left: "with secrets that cannot be opened", call)
        }
    }
}

extension SecretReport {
    /// - Parameters:
    ///   - what: What was done with rows.
    ///   - meaning: What it means that rows are left.
    fileprivate func answer(_ what: String, left meaning: String, _ call: any UseCaseCall) -> UseCaseAnswer {
        call.progress("")
        let names =
            "\(left) rows are damaged and stay as they are, \(meaning). List them with: \(call.command("check"))"
        return .text("\(done) \(what)").failing(left == 0 ? nil : names)
    }
}
