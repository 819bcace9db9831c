import ArgumentParser
import NephosAdmin
import NephosRunner
import NephosStorage

struct SecretCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "secret", abstract: "Change the key under which secrets are sealed.",
        discussion: """
            What signs tokens, links, webhooks and pushes is sealed in the store under a key that the store does not have. \
            docs/running.md says where it is kept, and that a backup needs both.
            """,
        subcommands: [Status.self, New.self, Rotate.self, Reset.self])

    struct Status: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Say how the secrets of a store are sealed.")
        @OptionGroup var data: DataOptions

        func run() async throws {
            try await data.open(creating: false) { store in
                guard let secrets = store.engine.secrets else { return }
                let names = try secrets.secretNames()
                Terminal.answer(
                    names.key == 0 && names.next == 0
                        ? "in the clear"
                        : names.next == 0
                            ? "sealed under a key of \(secrets.secretKeys.place)"
                            : "being sealed under another key of \(secrets.secretKeys.place): nephos secret rotate goes on"
                )
            }
        }
    }

    struct New: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print a new key.",
            discussion: """
                Example:

                  (umask 077; nephos secret new > /etc/nephos/secret.key)
                """)

        func run() { Terminal.answer(SecretKey.random().text) }
    }

    struct Rotate: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Seal all secrets under another key.",
            discussion: """
                It runs beside servers, and goes on where it stopped when it is run again. A folder gets its next key by \
                itself. For a database write the next key above the others in the file that NEPHOS_SECRET_KEY_FILE names, \
                for all servers, before; when it is over, the others may go.
                """)
        @OptionGroup var data: DataOptions

        func run() async throws {
            try await data.administer(creating: false) { administration in
                let report = try await administration.rotateSecrets { place, rows in
                    Terminal.progress("\(place): \(rows) rows")
                }
                Terminal.progress("")
                try SecretCommand.end(report, "sealed", left: "so it is not over", data)
            }
        }
    }

    struct Reset: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Throw secrets away whose key is lost.",
            discussion: """
                Records, files, accounts, API tokens and server keys stay. Everybody signs in again, devices fetch \
                everything anew, and webhooks and keys for push services are to be made again. Stop all servers before.
                """)
        @OptionGroup var confirmation: Confirmation
        @OptionGroup var data: DataOptions

        func run() async throws {
            try confirmation.require("This ends all sessions and removes all webhooks and keys for push services.")
            var settings = StoreSettings()
            settings.acceptsLostKey = true
            try await data.open(creating: false, settings: settings) { store in
                let report = try await Administration(engine: store.engine, inputs: .live).resetSecrets { place, rows in
                    Terminal.progress("\(place): \(rows) rows")
                }
                Terminal.progress("")
                try SecretCommand.end(report, "removed", left: "with secrets that nobody can open", data)
            }
        }
    }

    /// - Parameter left: What it means that rows are left.
    private static func end(
        _ report: SecretReport, _ what: String, left: String, _ data: DataOptions
    ) throws(Failure) {
        Terminal.answer("\(report.done) \(what)")
        guard report.left > 0 else { return }
        throw Failure(
            "\(report.left) rows are damaged and stay as they are, \(left): nephos check\(data.asWritten) names them."
        )
    }
}
