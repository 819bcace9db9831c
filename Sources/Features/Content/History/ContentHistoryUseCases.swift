import CloudKitWire
import NephosDomain
import NephosRunner
import NephosStorage

extension UseCase {
    static let contentHistory = UseCase(
        "content history", .reads, lists: true, abstract: "Show the versions of a record: who changed it, and when.",
        discussion: "The last \(ContentVersion.kept) versions are kept, even after the record is deleted.",
        .tenant, Input<String>.type, Input<String>.record, .lines(default: ContentVersion.kept)
    ) { call, tenant, typeName, name, limit in
        let operations = try ContentOperations(call, tenant)
        let roles = try operations.content(Name(typeName)).roles(of: try operations.type(Name(typeName)))
        return .table(
            ["Version", "When", "State", "From", "Until", "Who"],
            try operations.history(of: typeName, call).versions(of: name, limit: limit).map { row in
                let state = row.fields.map { ContentState(ContentValues($0, roles)) }
                return [
                    "\(row.version)", row.changedAt.asDate, state?.word(at: row.changedAt).rawValue ?? "deleted",
                    state?.publishedAt.map(ISO8601.text) ?? "-", state?.until.map(ISO8601.text) ?? "-", row.author,
                ]
            })
    }

    static let contentRevert = UseCase(
        "content revert", .changes, abstract: "Restore a record of content to an earlier version.",
        discussion: """
            All fields are restored except files, which stay as they are; a deleted record is created again, without files.

            Example:

              nephos content revert iCloud.com.example.app Chibi ghost 3
            """,
        .tenant, Input<String>.type, Input<String>.record, .version
    ) { call, tenant, typeName, name, version in
        let operations = try ContentOperations(call, tenant)
        _ = try operations.content(Name(typeName))
        return .note(try await operations.history(of: typeName, call).revert(name, to: version))
    }
}

extension ContentOperations {
    fileprivate func history(of type: String, _ call: any UseCaseCall) throws -> RecordHistory<ContentVersions> {
        let container = tenant.container
        return RecordHistory(of: ContentVersions.self, try self.type(Name(type)), in: tenant, by: administration) {
            name in
            call.command("content history \(container) \(type) \(name)")
        }
    }
}
