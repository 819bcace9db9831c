import CloudKitWire
import NephosDomain
import NephosRunner
import NephosStorage

extension UseCase {
    static let messageHistory = UseCase(
        "message history", .reads, lists: true, abstract: "Show the versions of a message: who changed it, and when.",
        discussion: """
            The last \(MessageVersion.kept) versions are kept, even after the message is deleted.

            Example:

              nephos message history iCloud.com.example.app anniversary
            """,
        .tenant, Input<String>.message, .lines(default: MessageVersion.kept)
    ) { call, tenant, id, limit in
        .table(
            ["Version", "When", "State", "From", "Until", "Title", "Who"],
            try MessageOperations(call, tenant).history(call).versions(of: id, limit: limit).map { row in
                var words = ["deleted", "-", "-", "-"]
                do throws(MessageFailure) {
                    if let message = try row.fields.map({ fields throws(MessageFailure) in
                        try Message(row.name, fields: fields)
                    }) {
                        words = [
                            message.state(at: row.changedAt), message.publishedAt.map(ISO8601.text) ?? "-",
                            message.until.map(ISO8601.text) ?? "-", message.title?.texts.first?.text ?? "-",
                        ]
                    }
                } catch { words[0] = "unreadable: \(error)" }
                return ["\(row.version)", row.changedAt.asDate] + words + [row.author]
            })
    }

    static let messageRevert = UseCase(
        "message revert", .changes, abstract: "Restore a message to an earlier version.",
        discussion: """
            Everything is restored except the picture, which stays as it is; a deleted message is created again, without a picture. The command \
            fails if another message is in the way.

            Example:

              nephos message revert iCloud.com.example.app anniversary 3
            """,
        .tenant, Input<String>.message, .version
    ) { call, tenant, id, version in
        .note(try await MessageOperations(call, tenant).history(call).revert(id, to: version))
    }
}

extension MessageOperations {
    fileprivate func history(_ call: any UseCaseCall) throws -> RecordHistory<MessageVersions> {
        let container = tenant.container
        return RecordHistory(of: MessageVersions.self, try recordType(), in: tenant, by: administration) { id in
            call.command("message history \(container) \(id)")
        }
    }
}
