import ArgumentParser
import CloudKitWire
import NephosAdmin
import NephosRunner
import NephosStorage

struct WebhookCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "webhook", abstract: "Have a server called when records of the public database change.",
        discussion: """
            A webhook acts as a server-to-server key: it is told what that key may read. Every call is a POST of the \
            notification that devices get, signed in the header Nephos-Signature (docs/protocol.md, "Webhooks").
            """,
        subcommands: [Create.self, List.self, Replay.self, Delete.self])

    struct Create: AdministrationCommand {
        static let configuration = CommandConfiguration(
            abstract: "Make a webhook; print its id, and the secret that its calls are signed with.",
            discussion: """
                The secret is shown this once.

                Example:

                  nephos webhook create iCloud.com.example.app --url https://example.org/hook --record-type Order \\
                    --on create --on update --filter 'state == open'
                """)

        @OptionGroup var place: TenantArguments
        @Option(help: "Where to call: https://, or http:// on this machine.")
        var url: String
        @Option(help: "The type of the records.")
        var recordType: String
        @Option(name: .customLong("on"), help: "create, update or delete; several times. All three without it.")
        var changes: [String] = []
        @Option(help: "Only records that match: FIELD OPERATOR VALUE, several times.")
        var filter: [String] = []
        @Option(help: "A field whose value goes with the call; up to three times.")
        var field: [String] = []
        @Option(help: "The id of the server-to-server key that it acts as. Without it, it gets one of its own.")
        var key: String?
        @OptionGroup var data: DataOptions

        func validate() throws {
            guard changes.allSatisfy({ ["create", "update", "delete"].contains($0) }) else {
                throw ValidationError("--on takes create, update or delete.")
            }
            guard field.count <= 3 else { throw ValidationError("At most three fields go with a call.") }
        }

        func run(_ administration: Administration) async throws {
            var filters = JSONWriter()
            filters.beginArray()
            for text in filter { try FilterText(text).write(to: &filters) }
            filters.endArray()
            let wish = WebhookWish(
                recordType: recordType, firesOn: changes.isEmpty ? ["create", "update", "delete"] : changes,
                filters: filters.bytes, fields: field)
            let webhook = try await administration.createWebhook(in: place.tenant, url: url, for: wish, key: key)
            Terminal.answer(
                """
                id      \(webhook.id)
                secret  \(webhook.secret)
                user    \(webhook.user)
                """)
        }
    }

    struct List: AdministrationCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print the webhooks of a container.",
            discussion: "Example:\n\n  nephos webhook list iCloud.com.example.app")

        @OptionGroup var place: TenantArguments
        @OptionGroup var data: DataOptions

        func run(_ administration: Administration) async throws {
            let webhooks = try administration.webhooks(of: place.tenant)
            guard !webhooks.isEmpty else { return Terminal.note("There is no webhook.") }
            let rows = webhooks.map { device in
                [Hexadecimal.text(device.key.id), device.address, device.key.user.recordName, device.createdAt.asDate]
            }
            Terminal.answer(Table(["id", "url", "user", "made"], rows).text)
        }
    }

    struct Replay: AdministrationCommand {
        static let configuration = CommandConfiguration(
            abstract: "Call a webhook again for what it was told in the last hours; print how many calls.",
            discussion: """
                What it was told is kept for 7 days. Calls that wait to be tried again are made now too.

                Example:

                  nephos webhook replay iCloud.com.example.app 8f14e45f --hours 2
                """)

        @OptionGroup var place: TenantArguments
        @Argument(help: "The id of the webhook, or its beginning.")
        var webhook: String
        @Option(help: "How far back to go.")
        var hours: Int = 24
        @Option(help: "Most calls, the newest.")
        var limit: Int = 1_000
        @OptionGroup var data: DataOptions

        func validate() throws {
            guard (1...10_000).contains(hours), (1...10_000).contains(limit) else {
                throw ValidationError("Hours and limit are 1 to 10000.")
            }
        }

        func run(_ administration: Administration) async throws {
            let since = WallClock.now() - Milliseconds(hours) * 3_600_000
            let count = try await administration.replayWebhook(
                webhook, in: place.tenant, since: since, limit: limit)
            Terminal.answer("\(count)")
        }
    }

    struct Delete: AdministrationCommand {
        static let configuration = CommandConfiguration(
            abstract: "Remove a webhook, with what it was yet to be told.",
            discussion: "Example:\n\n  nephos webhook delete iCloud.com.example.app 8f14e45f")

        @OptionGroup var place: TenantArguments
        @Argument(help: "The id of the webhook, or its beginning.")
        var webhook: String
        @OptionGroup var data: DataOptions

        func run(_ administration: Administration) async throws {
            try await administration.deleteWebhook(webhook, in: place.tenant)
        }
    }
}
