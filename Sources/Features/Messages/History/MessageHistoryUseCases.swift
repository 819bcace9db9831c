import CloudKitWire
import NephosDomain
import NephosRunner
import NephosStorage

extension UseCase {
    static let messageHistory = UseCase(
        "message history", .reads, abstract: "Show the versions of a message: who changed what, and when.",
        discussion: """
            The last \(MessageVersion.kept) versions are kept, even after the message is deleted. Below the table are the texts that each version \
            changed: what begins with - was there before, what begins with + came with the version. As JSON, each version has its text.

            Example:

              nephos message history iCloud.com.example.app anniversary --limit 2
            """,
        .tenant, Input<String>.message, .lines(default: MessageVersion.kept), .output
    ) { call, tenant, id, limit, output in
        // One more, with which the last one that is shown is compared.
        let rows = try MessageOperations(call, tenant).history(call).versions(of: id, limit: limit + 1)
        let shown = rows.prefix(limit)
        let head = ["Version", "When", "State", "From", "Until", "Title", "Who"]
        let table = output.answer(head, shown.map(\.cells)) { json in
            for row in shown { Output.write(head + ["Text"], row.cells + [row.text], to: &json) }
        }
        guard output == .table else { return table }
        return zip(shown, rows.dropFirst().map(Optional.some) + [nil]).reduce(table) { answer, versions in
            answer.then(.text("\n" + versions.0.change(from: versions.1)))
        }
    }

    static let messageRevert = UseCase(
        "message revert", .changes, abstract: "Restore a message to an earlier version.",
        discussion: """
            The picture stays as it is, and so does when the message is shown, unless --times restores that, too. A deleted message is created \
            again as a draft, without a picture. With --times, the command fails if another message is in the way.

            Example:

              nephos message revert iCloud.com.example.app anniversary 3
            """,
        .tenant, Input<String>.message, .version,
        Input<Bool>.flag("times", help: "Restore also from when until when it is shown.")
    ) { call, tenant, id, version, restoresTimes in
        let operations = try MessageOperations(call, tenant)
        let kept = restoresTimes ? [] : MessageField.times
        let done = try await operations.history(call).revert(id, to: version, keeping: kept)
        return .note(done).noting(try operations.shownSentence(id, now: call.now()))
    }
}

extension MessageVersion {
    fileprivate var cells: [String] {
        var words = ["deleted", "-", "-", "-"]
        do throws(MessageFailure) {
            if let message = try fields.map({ fields throws(MessageFailure) in try Message(name, fields: fields) }) {
                words = [
                    message.state(at: changedAt), message.publishedAt.map(ISO8601.text) ?? "-",
                    message.until.map(ISO8601.text) ?? "-", message.title?.texts.first?.text ?? "-",
                ]
            }
        } catch { words[0] = "unreadable: \(error)" }
        return ["\(version)", changedAt.asDate] + words + [author]
    }

    /// The message as a file; empty if it was deleted.
    fileprivate var text: String {
        guard let fields else { return "" }
        do throws(Failure) { return try MessageContent(name.text, fields: fields, note: nil).text } catch {
            return "\(error)"
        }
    }

    /// The lines that differ from the version before; all lines if that is not kept.
    fileprivate func change(from before: MessageVersion?) -> String {
        let lines = LineDifference(from: before?.text ?? "", to: text).lines.map { "  \($0)" }
        return (["Version \(version):"] + (lines.isEmpty ? ["  the same texts"] : lines)).joined(separator: "\n")
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
