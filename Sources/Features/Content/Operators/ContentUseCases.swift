import Audience
import CloudKitWire
import NephosDomain
import NephosRunner
import NephosStorage

extension UseCaseGroup {
    static let content = UseCaseGroup(
        Content.name, abstract: "Publish content at its time, and show who sees it.",
        [
            .publish, .withdraw, .listContent, .contentCalendar, .contentBad, .contentHistory, .contentRevert,
            .explainContent,
        ])
}

extension Input where Value == String {
    static var type: Input { argument("type", help: "The record type.") }
    static var record: Input { argument("record", help: "The record's name.") }
}

extension UseCase {
    fileprivate static let publish = UseCase(
        "content publish", .changes, abstract: "Show a record from now or from a given time on.",
        discussion: """
            Without --at it begins now, and without --until it does not end. In development this turns a type with a TIMESTAMP field publishedAt \
            into content: from then on a record without publishedAt is a draft, visible only to people who can write it. Fields named until, every, \
            access, audience, weight, collection and preview are used according to their names, if their types fit.

            Examples:

              nephos content publish iCloud.com.example.app Chibi ghost
              nephos content publish iCloud.com.example.app Chibi ghost --at 2027-10-25
            """,
        .tenant, Input<String>.type, Input<String>.record, .window
    ) { call, tenant, typeName, record, window in
        let type = Name(typeName)
        let now = call.now()
        let start = try window.start(now: now)
        // All checks are made before the type becomes content, because its other records become drafts then.
        let declaration = try ContentDeclaration(call: call, tenant: tenant, type: type)
        let content = declaration.content
        if window.end != nil, content.fields[.until] == nil {
            throw Failure(
                "\(type) has no field for until: add a TIMESTAMP field and name it under content in the settings.")
        }
        let operations = declaration.operations
        let stored = try operations.record(record, of: type)
        let live = try operations.type(type)
        let (fields, audiences) = (stored.liveFields(of: live), try operations.audiences())
        if let violation = content.violation(
            in: fields, audiences, with: [.publishedAt: start, .until: window.end])
            ?? content.mistake(in: fields, audiences)
        {
            throw Failure("\(record) cannot be published: \(violation).")
        }
        let note = try await declaration.carryOut()
        try await operations.change(record, of: type, content.edits(publishedAt: start, until: window.end))
        return .note(try window.sentence(of: record, in: tenant.environment, now: now)).noting(note)
    }

    fileprivate static let withdraw = UseCase(
        "content withdraw", .changes, abstract: "Turn a record back into a draft, which only editors see.",
        discussion: """
            Example:

              nephos content withdraw iCloud.com.example.app Chibi ghost
            """,
        .tenant, Input<String>.type, Input<String>.record
    ) { call, tenant, typeName, record in
        let type = Name(typeName)
        let operations = try ContentOperations(call, tenant)
        let content = try operations.content(type)
        let known = try operations.type(type)
        let old = try await operations.change(record, of: type, content.edits(publishedAt: nil, until: nil)) { record in
            let state = ContentState(record, content, known)
            return state.publishedAt != nil || state.until != nil
        }
        let state = ContentState(old, content, known)
        if state.publishedAt != nil {
            return .note("\(record) will no longer be shown in \(tenant.environment.rawValue). It is a draft again.")
        }
        return .note(
            state.until == nil
                ? "\(record) is a draft in \(tenant.environment.rawValue) already. Nothing was changed."
                : "\(record) is a draft in \(tenant.environment.rawValue) already. Its end was removed.")
    }

    fileprivate static let listContent = UseCase(
        "content list", .reads, lists: true, abstract: "List content: drafts, planned, shown and ended records.",
        discussion: """
            Examples:

              nephos content list iCloud.com.example.app
              nephos content list iCloud.com.example.app Chibi
            """,
        .tenant, Input<String?>.argument("type", help: "A record type; all types if omitted.")
    ) { call, tenant, typeName in
        let operations = try ContentOperations(call, tenant)
        let now = call.now()
        var rows: [[String]] = []
        try operations.forEachRecord(named: typeName) { name, record, content, type in
            let state = ContentState(record, content, type)
            rows.append([
                name.text, record.name.text, state.word(at: now).rawValue,
                state.publishedAt.map(ISO8601.text) ?? "-", state.until.map(ISO8601.text) ?? "-",
                state.access.isEmpty ? "-" : state.access.joined(separator: ", "),
            ])
        }
        return .table(
            ["Type", "Record", "State", "From", "Until", "For"], rows,
            whenEmpty: operations.settings.types.isEmpty
                ? "No type of \(tenant) is content: publish a record, or name a type under content in the settings."
                : "There are no records.")
    }

    fileprivate static let explainContent = UseCase(
        "content explain", .reads, abstract: "Explain whether people who cannot write a record see it.",
        discussion: """
            Example:

              nephos content explain iCloud.com.example.app Chibi ghost
              nephos content explain iCloud.com.example.app Chibi ghost \\
                --context '{"locale":"es-MX","appVersion":"2.4"}'
            """,
        .tenant, Input<String>.type, Input<String>.record,
        Input<String?>.option(
            "context", valueName: "json", help: "What an app reports, to decide whether it is picked.")
    ) { call, tenant, typeName, name, said in
        let operations = try ContentOperations(call, tenant)
        let content = try operations.content(Name(typeName))
        let record = try operations.record(name, of: Name(typeName))
        let type = try operations.type(Name(typeName))
        let state = ContentState(record, content, type)
        var lines: [String] =
            switch state.word(at: call.now()) {
            case .draft: ["It is a draft: \(content.fields[.publishedAt]?.text ?? "publishedAt") has no value."]
            case .early: ["Its time has not come: it is published at \(ISO8601.text(state.publishedAt ?? 0))."]
            case .ended: ["It ended at \(ISO8601.text(state.until ?? 0))."]
            case .paused:
                [
                    "It is outside its hours: it is shown again at \(state.nextEdge(after: call.now()).map(ISO8601.text) ?? "no time")."
                ]
            case .published: ["It is published\(state.until.map { ", until \(ISO8601.text($0))" } ?? "")."]
            }
        if !state.access.isEmpty {
            lines.append("It is for people who prove one of: \(state.access.joined(separator: ", ")).")
        }
        if !(type.grants[RoleRow.world.number]?.contains(.read) ?? false) {
            lines.append(
                "Records of \(typeName) can be read by holders of certain roles: \(call.command("role explain \(tenant.container)"))."
            )
        }
        lines.append("People who can write it always see it.")
        lines += try operations.picking(of: ContentValues(record, content, type), saying: said, now: call.now())
        return .text(lines.joined(separator: "\n"))
    }
}
