import ArgumentParser
import NephosAdmin
import NephosStorage

struct SessionCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "session", abstract: "Sign people in from here, and take that back.",
        subcommands: [Create.self, List.self, Revoke.self])

    struct Create: AdministrationCommand {
        static let configuration = CommandConfiguration(
            abstract: "Sign a person in to a container and print a web auth token.",
            discussion: """
                The token acts as that person for two weeks. Clients send it as ckWebAuthToken, beside an API token.

                Example:

                  nephos session create iCloud.com.example.app mary@example.org
                """)

        @Argument(help: "The container's id.")
        var container: String
        @Argument(help: "The address of the person's account.")
        var email: String
        @OptionGroup var environment: EnvironmentOption
        @OptionGroup var data: DataOptions

        func run(_ administration: Administration) async throws {
            let tenant = environment.tenant(of: container)
            Terminal.answer(try await administration.createSession(in: tenant, email: email))
        }
    }

    struct List: AdministrationCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print the sessions of a container, or of one person there, the newest first.",
            discussion: """
                Revoked ones too; one whose time is over goes a day later. A use is noted by day, some minutes later.

                Examples:

                  nephos session list iCloud.com.example.app
                  nephos session list iCloud.com.example.app mary@example.org
                """)

        @OptionGroup var place: TenantArguments
        @Argument(help: "Only this person's.")
        var email: String?
        @OptionGroup var lines: LinesOption
        @OptionGroup var data: DataOptions

        func run(_ administration: Administration) async throws {
            let sessions = try administration.sessions(of: place.tenant, email: email, limit: lines.limit)
            guard !sessions.isEmpty else { return Terminal.note("There is no session.") }
            let rows = sessions.map { session in
                [
                    session.id, session.person, session.createdAt.asDate, session.expiresAt.asDate,
                    session.lastDay.asDay, session.revokedAt == 0 ? "-" : session.revokedAt.asDate,
                ]
            }
            Terminal.answer(Table(["id", "person", "made", "ends", "last used", "revoked"], rows).text)
            if sessions.count == lines.limit { Terminal.note("There may be more: --limit") }
        }
    }

    struct Revoke: AdministrationCommand {
        static let configuration = CommandConfiguration(
            abstract: "Take a session back, or all of a person.",
            discussion: """
                It opens nothing from the next request on, on any server. The phones that were registered with it are told \
                nothing more; its links to files end with it, and its event streams within a second. With --all go all \
                sessions and all devices of the person, in every container or in the one that is named, and in both of \
                its environments unless one is named.

                Examples:

                  nephos session revoke iCloud.com.example.app 8f14e45fceea167a5a36dedd4bea2543
                  nephos session revoke --all mary@example.org
                  nephos session revoke --all mary@example.org iCloud.com.example.app
                """)

        @Argument(help: "The container's id.")
        var container: String?
        @Argument(help: "The id of the session, as the list has it.")
        var session: String?
        @Option(help: ArgumentHelp("All sessions and devices of this person.", valueName: "email"))
        var all: String?
        @Option(help: "The container's environment; development for one session, both with --all.")
        var environment: Environment?
        @OptionGroup var data: DataOptions

        func validate() throws {
            guard all == nil ? session != nil : session == nil else {
                throw ValidationError("Say either a container and the id of a session, or --all EMAIL.")
            }
        }

        func run(_ administration: Administration) async throws {
            if let all {
                let revoked = try await administration.revokeAllSessions(
                    of: all, container: container, environment: environment)
                for place in revoked { note(place) }
                if revoked.isEmpty { Terminal.note("\(all) has never signed in there.") }
            } else if let container, let session {
                let tenant = Tenant(container: container, environment: environment ?? .development)
                note(try await administration.revokeSession(session, in: tenant))
            }
        }

        private func note(_ place: RevokedSessions) {
            Terminal.note("\(place.tenant): \(place.sessions) sessions and \(place.devices) devices.")
        }
    }
}
