import CloudKitWire
import NephosDomain
import NephosRunner
import NephosStorage

extension Input where Value == Tracked {
    fileprivate static var tracked: Input {
        Input(
            Input<String?>.option("type", help: "A record type that is shown."),
            Input<String?>.option(
                "private", valueName: "type", help: "A record type whose records in private databases are counted."),
            Input<String?>.option(
                "split", valueName: "type.field", help: "A field by whose values records are counted."),
            Input<String?>.option("list", valueName: "type.field", help: "A list whose elements are counted."),
            Input<String?>.option("of", help: "The records whose list is meant: newest, all or record:NAME.")
        ) { type, own, split, list, of throws(WrongInput) in
            let words = [type, own, split, list].compactMap(\.self)
            guard words.count == 1, let word = words.first else {
                throw WrongInput("Pass one of --type, --private, --split and --list.")
            }
            guard of == nil || list != nil else { throw WrongInput("--of needs --list.") }
            if type != nil { return .type(Name(word)) }
            if own != nil { return .privateType(Name(word)) }
            let parts = word.split(separator: ".", maxSplits: 1)
            guard parts.count == 2 else {
                throw WrongInput("\(word) is not a type and its field, such as Post.version.")
            }
            let (type, field) = (Name(String(parts[0])), Name(String(parts[1])))
            if split != nil { return .split(type, field) }
            guard let of else { return .list(type, field, nil) }
            guard let kind = TrendPart.Kind(of: of) else {
                throw WrongInput("--of must be newest, all or record:NAME.")
            }
            return .list(type, field, kind)
        }
    }
}

extension UseCase {
    static let listTrackers = UseCase(
        "trends list", .reads, abstract: "List what is counted, its progress, and what to do.",
        discussion: """
            Prints a row for each type that is shown, type of private databases, list, split, alarm, and source of imported figures. If something is \
            not counted, State has the reason, and To do the command that fixes it.

            Example:

              nephos trends list iCloud.com.example.app
            """,
        .tenant, Input<Output>.output
    ) { call, tenant, output in
        let all = try call.administration.trackers(of: tenant)
        guard output == .table else { return .bytes(all.json + [UInt8(ascii: "\n")]) }
        return .table(["Kind", "What", "Of", "State", "To do"], all.rows, whenEmpty: "Nothing is shown.")
    }

    static let track = UseCase(
        "trends track", .changes, abstract: "Start to count or show something.",
        discussion: """
            This changes the settings under trends. Earlier records are counted back by a running server.

            Examples:

              nephos trends track iCloud.com.example.app --split Post.version
              nephos trends track iCloud.com.example.app --list Novenas.names --of all
              nephos trends track iCloud.com.example.app --private Note
            """,
        .tenant, .tracked
    ) { call, tenant, tracked in
        let isChanged = try await call.administration.changeTrends(
            of: tenant, by: call.actor.author, progress: { call.progress($0) }
        ) { settings, catalog throws(TrendFailure) in try settings.tracking(tracked, in: catalog) }
        guard isChanged else { return .note("\(tracked.what) is tracked already. Nothing was changed.") }
        if case .type = tracked { return .nothing }
        return .note(
            "\(tracked.what) is tracked now. Earlier records are counted back by a running server; nephos trends list shows the progress."
        )
    }

    static let untrack = UseCase(
        "trends untrack", .destroys, abstract: "Stop counting or showing something.",
        discussion: """
            This changes the settings under trends. A running server removes the figures of a list, a split or private databases. A type that is no \
            longer shown is still counted.

            Example:

              nephos trends untrack iCloud.com.example.app --split Post.version --yes
            """,
        .tenant, .tracked, .yes
    ) { call, tenant, tracked, isSure in
        // What a type has had is counted all the same.
        if case .type = tracked {
        } else {
            try call.confirm("This removes what was counted by \(tracked.words) in \(tenant).", unless: isSure)
        }
        let isChanged = try await call.administration.changeTrends(
            of: tenant, by: call.actor.author, progress: { call.progress($0) }
        ) { settings, catalog throws(TrendFailure) in try settings.untracking(tracked, in: catalog) }
        return isChanged ? .nothing : .note("\(tracked.what) is not tracked. Nothing was changed.")
    }

    static let forgetSource = UseCase(
        "trends forget-source", .destroys, abstract: "Remove the imported figures of a source.",
        discussion: """
            Example:

              nephos trends forget-source iCloud.com.example.app \\
                iCloud.com.example.old --yes
            """,
        .tenant, Input<String>.argument("source", help: "Its name, as nephos trends list shows it."), .yes
    ) { call, tenant, source, isSure in
        try call.confirm("This removes the figures of \(source) from \(tenant).", unless: isSure)
        try await call.administration.forgetSource(source, in: tenant)
        return .nothing
    }
}
