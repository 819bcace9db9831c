import CloudKitWire
package import NephosRunner
import NephosStorage

extension UseCaseGroup {
    package static let webhooks = UseCaseGroup(
        "webhook", abstract: "Call a server when records of the public database change.",
        discussion: """
            A webhook acts as a server-to-server key: it is notified of records that this key can read. Every call is a \
            POST of the notification that devices receive, signed in the header Nephos-Signature (docs/protocol.md, "Webhooks").
            """,
        [UseCase.createWebhook, UseCase.listWebhooks, UseCase.replayWebhook, UseCase.deleteWebhook])
}

extension UseCase {
    fileprivate static let createWebhook = UseCase(
        "webhook create", .changes,
        abstract: "Create a webhook; print its id, and the secret that signs its calls.",
        discussion: """
            The secret is shown only once.

            Example:

              nephos webhook create iCloud.com.example.app --url https://example.org/hook \\
                --record-type Order --on create --on update --filter 'state == open'
            """,
        .tenant, Input<String>.option("url", help: "Where to call: https://, or http:// on this machine."),
        Input<String>.option("record-type", help: "The type of the records."), .changes,
        Input<[String]>.option("filter", help: "Only records that match FIELD OPERATOR VALUE; can be repeated."),
        Input<[String]>.option("field", help: "A field whose value is sent with the call; up to three times.")
            .refusing("Pass --field at most three times.") { $0.count <= 3 },
        Input<String?>.option(
            "key", help: "The id of the server-to-server key that it acts as; a new one is created without it.")
    ) { call, tenant, url, type, changes, filters, fields, key in
        let administration = try call.administration
        let scope = WebhookScope(
            recordType: type, firesOn: changes.isEmpty ? everyChange : changes,
            filters: try FilterText.json(filters), fields: fields)
        try administration.checkFields(fields.map { Name($0) }, of: Name(type), in: tenant)
        let webhook = try await administration.createWebhook(in: tenant, url: url, for: scope, key: key)
        return .text(
            """
            id      \(webhook.id)
            secret  \(webhook.secret)
            user    \(webhook.user)
            """
        )
        .noting(
            webhook.privateHost.map {
                "\($0) is this machine or in a private network: servers call it only with nephos serve --allow-webhook \($0)"
            })
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
        return .table(["id", "url", "user", "made"], rows, whenEmpty: "There are no webhooks.")
    }

    fileprivate static let replayWebhook = UseCase(
        "webhook replay", .changes,
        abstract: "Repeat the calls of a webhook in the last hours; print how many there are.",
        discussion: """
            Calls are kept for 7 days. Those that wait to be retried are made immediately, too.

            Example:

              nephos webhook replay iCloud.com.example.app 8f14e45f --hours 2
            """,
        .tenant, .webhook, .upTo10000("hours", default: 24, help: "How far back to go."),
        .upTo10000("limit", default: 1_000, help: "The maximum number of calls; the newest are repeated.")
    ) { call, tenant, id, hours, limit in
        let administration = try call.administration
        let since = call.now() - Milliseconds(hours) * 3_600_000
        return .text("\(try await administration.replayWebhook(id, in: tenant, since: since, limit: limit))")
    }

    fileprivate static let deleteWebhook = UseCase(
        "webhook delete", .destroys, abstract: "Remove a webhook and its pending calls.",
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
        option("on", help: "create, update or delete; can be repeated. All three without it.")
            .refusing("--on takes create, update or delete.") { $0.allSatisfy(UseCase.everyChange.contains) }
    }
}

extension Input where Value == Int {
    fileprivate static func upTo10000(_ name: String, default standard: Int, help: String) -> Input {
        option(name, default: standard, help: help)
            .refusing("--hours and --limit must be from 1 to 10000.") { (1...10_000).contains($0) }
    }
}
