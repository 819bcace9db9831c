package import NephosRunner
import NephosStorage

extension UseCaseGroup {
    package static let indexes = UseCaseGroup(
        "index", abstract: "List, build and drop indexes of the public database.",
        discussion: """
            Queries build the indexes they need; this builds one before the first query needs it. Pass first the fields that \
            queries compare with a value, then those they sort by, as FIELD:asc or FIELD:desc.
            """,
        [UseCase.listIndexes, UseCase.buildIndex, UseCase.dropIndex])
}

extension UseCase {
    fileprivate static let listIndexes = UseCase(
        "index list", .reads, lists: true, abstract: "Print the indexes of the public database.",
        discussion: "Example:\n\n  nephos index list iCloud.com.example.app",
        .tenant
    ) { call, tenant in
        let rows = try call.administration.indexes(of: tenant).map { index in
            [
                index.type, index.parts.joined(separator: " "), index.state == .ready ? "ready" : "building",
                index.usedAt.asDate,
            ]
        }
        return .table(["type", "fields", "state", "used"], rows, whenEmpty: "The public database has no indexes.")
    }

    fileprivate static let buildIndex = UseCase(
        "index build", .changes, abstract: "Build an index of the public database, and wait for it.",
        discussion: "Example:\n\n  nephos index build iCloud.com.example.app Article category publishedAt:desc",
        .index
    ) { call, index in
        try await call.administration.buildIndex(type: index.type, parts: index.fields, in: index.tenant) {
            done, total in
            call.progress("\(done) of \(total) records")
        }
        call.progress("")
        return .note(
            "The public database of \(index.tenant) has an index on \(index.fields.joined(separator: " ")) of \(index.type)."
        )
    }

    fileprivate static let dropIndex = UseCase(
        "index drop", .changes, abstract: "Drop an index of the public database.",
        discussion: """
            A query that needs it builds it again.

            Example:

              nephos index drop iCloud.com.example.app Article category publishedAt:desc
            """,
        .index
    ) { call, index in
        try await call.administration.dropIndex(type: index.type, parts: index.fields, in: index.tenant)
        return .note("Dropped the index on \(index.fields.joined(separator: " ")) of \(index.type) in \(index.tenant).")
    }

    package static let reindex = UseCase(
        "reindex", .changes, abstract: "Drop all indexes of an environment and build them again.",
        discussion: "Example:\n\n  nephos reindex iCloud.com.example.app",
        .tenant
    ) { call, tenant in
        let count = try await call.administration.rebuildIndexes(of: tenant) { done, total in
            call.progress("\(done) of \(total) databases")
        }
        call.progress("")
        return .note(count == 1 ? "Rebuilt 1 index." : "Rebuilt \(count) indexes.")
    }
}

/// An index, identified by its type and parts.
private struct IndexWords: Sendable {
    let tenant: Tenant
    let type: String
    let fields: [String]
}

extension Input where Value == IndexWords {
    fileprivate static var index: Input {
        Input(
            .container, .typeName,
            Input<[String]>.argument(
                "fields",
                help: "Its fields, in order; FIELD:asc, FIELD:desc or FIELD:words for those to sort by or search in."),
            .environment
        ) { container, type, fields, environment in
            IndexWords(tenant: Tenant(container: container, environment: environment), type: type, fields: fields)
        }
    }
}
