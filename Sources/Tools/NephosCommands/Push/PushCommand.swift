import ArgumentParser
import CloudKitWire
import NephosAdmin
import NephosRunner
import NephosStorage

struct PushCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "push", abstract: "Reach Apple's push service, and see what devices were told.",
        subcommands: [Configure.self, Log.self])

    struct Configure: AdministrationCommand {
        static let configuration = CommandConfiguration(
            abstract: "Say how Apple's push service is reached for a container.",
            discussion: """
                With the key that Apple's developer site makes for push notifications (a .p8 file), its id, the id of your \
                team, and the bundle id of the app. Devices that registered for the environment "development" are reached \
                over the sandbox, which has a configuration of its own.

                Example:

                  nephos push configure iCloud.com.example.app --team 8XC6W5A4KL --key-id ABC123DEFG \\
                    --key AuthKey_ABC123DEFG.p8 --topic com.example.app
                """)

        @OptionGroup var place: TenantArguments
        @Option(help: "The id of the team, 10 letters and digits.")
        var team: String
        @Option(help: "The id of the key, 10 letters and digits.")
        var keyID: String
        @Option(help: ArgumentHelp("The private key.", valueName: "file"))
        var key: String
        @Option(help: "The app's bundle id.")
        var topic: String
        @Flag(help: "For devices that registered for the environment \"development\".")
        var sandbox = false
        @OptionGroup var data: DataOptions

        func run(_ administration: Administration) async throws {
            let pem = String(decoding: try TextFile(path: key).read(), as: UTF8.self)
            try await administration.configurePush(
                in: place.tenant, team: team, keyID: keyID, pem: pem, topic: topic, isSandbox: sandbox)
            Terminal.note(
                "\(place.tenant) reaches \(sandbox ? "the sandbox of " : "")Apple's push service as \(topic).")
        }
    }

    struct Log: AdministrationCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print what devices were told, and what came of it.",
            discussion: """
                Who, when, over which subscription, and what the other side answered; nothing of what was said. A line may \
                stand for several changes: what waits to be sent is merged.

                Examples:

                  nephos push log iCloud.com.example.app
                  nephos push log iCloud.com.example.app --user mary@example.org --follow
                """)

        @OptionGroup var place: TenantArguments
        @Option(help: "Only what this person or key was told: an address, or the name of a user record.")
        var user: String?
        @Option(help: "Most lines to begin with.")
        var limit: Int = 50
        @Flag(help: "Go on with what comes, until it is interrupted.")
        var follow = false
        @OptionGroup var data: DataOptions

        func validate() throws {
            guard (1...10_000).contains(limit) else { throw ValidationError("A limit is 1 to 10000.") }
        }

        func run(_ administration: Administration) async throws {
            let rows = try administration.pushLog(of: place.tenant, user: user, limit: limit)
            if !rows.isEmpty { Terminal.answer(Table(PushLogLine.heading, rows.map(PushLogLine.cells)).text) }
            guard follow else {
                if rows.isEmpty { Terminal.note("Nobody was told of anything.") }
                return
            }
            try await self.follow(administration, after: rows)
        }

        /// What is written together need not become visible together, so each look goes a little back.
        private func follow(_ administration: Administration, after rows: [PushLogRow]) async throws {
            let overlap: Milliseconds = 10_000
            let id = try user.map { try administration.userID(named: $0, in: place.tenant) }
            var seen = Set(rows.map { [$0.at, $0.nonce] })
            var last = rows.last?.at ?? WallClock.now()
            while true {
                let found = try administration.pushLog(of: place.tenant, since: last - overlap, limit: 10_000)
                for row in found where id == nil || row.user == id {
                    guard seen.insert([row.at, row.nonce]).inserted else { continue }
                    Terminal.answer(PushLogLine.cells(row).joined(separator: "  "))
                }
                last = max(last, found.last?.at ?? last)
                seen = seen.filter { $0[0] >= last - overlap }
                try await Task.sleep(for: .seconds(1))
            }
        }
    }
}

/// An entry of the push log as cells of a table.
enum PushLogLine {
    static let heading = [
        "time", "user", "channel", "device", "database", "subscription", "outcome", "changes", "try", "ms", "answer",
    ]

    static func cells(_ row: PushLogRow) -> [String] {
        [
            row.at.asDate, row.user.recordName, "\(row.channel)", Hexadecimal.text(row.device.prefix(4)),
            row.source == 1 ? "public" : "private", row.subscription.text, outcome(row.outcome), "\(row.changes)",
            "\(row.attempt)", "\(row.milliseconds)", row.answer,
        ]
    }

    private static func outcome(_ outcome: PushLogRow.Outcome) -> String {
        switch outcome {
        case .delivered: "delivered"
        case .failed: "failed"
        case .givenUp: "given up"
        case .deviceGone: "device gone"
        }
    }
}
