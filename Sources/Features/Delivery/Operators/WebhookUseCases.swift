import CloudKitWire
package import NephosRunner
import NephosStorage

extension UseCaseGroup {
    package static let webhooks = UseCaseGroup(
        "webhook", abstract: "Have a server called when records of the public database change.",
        discussion: """
            A webhook acts as a server-to-server key: it is told what that key may read. Every call is a POST of the \
            notification that devices get, signed in the header Nephos-Signature (docs/protocol.md, "Webhooks").
            """,
        [UseCase.createWebhook, UseCase.listWebhooks, UseCase.replayWebhook, UseCase.deleteWebhook])
}

extension UseCase {
    fileprivate static let createWebhook = UseCase(
        "webhook create", .changes,
        abstract: "Make a webhook; print its id, and the secret that its calls are signed with.",
        discussion: """
            The secret is shown this once.

            Example:

              nephos webhook create iCloud.com.example.app --url https://example.org/hook \\
                --record-type Order --on create --on update --filter 'state == open'
            """,
        .tenant, Input<String>.option("url", help: "Where to call: https://, or http:// on this machine."),
        Input<String>.option("record-type", help: "The type of the records."), .changes,
        Input<[String]>.option("filter", help: "Only records that match: FIELD OPERATOR VALUE, several times."),
        Input<[String]>.option("field", help: "A field whose value goes with the call; up to three times.")
            .refusing("At most three fields go with a call.") { $0.count <= 3 },
        Input<String?>.option(
            "key", help: "The id of the server-to-server key that it acts as. Without it, it gets one of its own.")
    ) { call, tenant, url, type, changes, filters, fields, key in
        let administration = try call.administration
        let wish = WebhookWish(
            recordType: type, firesOn: changes.isEmpty ? everyChange : changes,
            filters: try FilterText.json(filters), fields: fields)
        let webhook = try await administration.createWebhook(in: tenant, url: url, for: wish, key: key)
        return .text(
            """
            id      \(webhook.id)
            secret  \(webhook.secret)
            user    \(webhook.user)
            """)
    }

    fileprivate static let everyChange = ["create", "update", "delete"]

    fileprivate static let listWebhooks = UseCase(
        "webhook list", .reads, lists: true, abstract: "Print the webhooks of a container.",
        discussion: "Example:\n\n  nephos webhook list iCloud.com.example.app",
        .tenant
    ) { call, tenant in
        let rows = try call.administration.webhooks(of: tenant).map { device in
            [Hexadecimal.text(device.key.id), device.address, device.key.user.recordName, device.createdAt.asDate]
        }
        return .table(["id", "url", "user", "made"], rows, whenEmpty: "There is no webhook.")
    }

    fileprivate static let replayWebhook = UseCase(
        "webhook replay", .changes,
        abstract: "Call a webhook again for what it was told in the last hours; print how many calls.",
        discussion: """
            What it was told is kept for 7 days. Calls that wait to be tried again are made now too.

            Example:

              nephos webhook replay iCloud.com.example.app 8f14e45f --hours 2
            """,
        .tenant, .webhook, .upTo10000("hours", default: 24, help: "How far back to go."),
        .upTo10000("limit", default: 1_000, help: "Most calls, the newest.")
    ) { call, tenant, id, hours, limit in
        let administration = try call.administration
        let since = call.now() - Milliseconds(hours) * 3_600_000
        return .text("\(try await administration.replayWebhook(id, in: tenant, since: since, limit: limit))")
    }

    fileprivate static let deleteWebhook = UseCase(
        "webhook delete", .destroys, abstract: "Remove a webhook, with what it was yet to be told.",
        discussion: "Example:\n\n  nephos webhook delete iCloud.com.example.app 8f14e45f --yes",
        .tenant, .webhook, .yes
    ) { call, tenant, id, isSure in
        try call.confirm("This removes webhook \(id) of \(tenant).", unless: isSure)
        try await call.administration.deleteWebhook(id, in: tenant)
        return .nothing
    }
}

extension Input where Value == String {
    fileprivate static var webhook: Input { argument("webhook", help: "The id of the webhook, or its beginning.") }
}

extension Input where Value == [String] {
    fileprivate static var changes: Input {
        option("on", help: "create, update or delete; several times. All three without it.")
            .refusing("--on takes create, update or delete.") { $0.allSatisfy(UseCase.everyChange.contains) }
    }
}

extension Input where Value == Int {
    fileprivate static func upTo10000(_ name: String, default standard: Int, help: String) -> Input {
        option(name, default: standard, help: help)
            .refusing("Hours and limit are 1 to 10000.") { (1...10_000).contains($0) }
    }
}
