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
            Input<String?>.option("of", help: "Of which records a list is: newest, all or record:NAME.")
        ) { type, own, split, list, of throws(WrongInput) in
            let words = [type, own, split, list].compactMap(\.self)
            guard words.count == 1, let word = words.first else {
                throw WrongInput("say one of --type, --private, --split and --list")
            }
            guard of == nil || list != nil else { throw WrongInput("--of goes with --list") }
            if type != nil { return .type(Name(word)) }
            if own != nil { return .privateType(Name(word)) }
            let parts = word.split(separator: ".", maxSplits: 1)
            guard parts.count == 2 else {
                throw WrongInput("say the type and its field, such as Post.version, not \(word)")
            }
            let (type, field) = (Name(String(parts[0])), Name(String(parts[1])))
            if split != nil { return .split(type, field) }
            guard let of else { return .list(type, field, nil) }
            guard let kind = TrendPart.Kind(of: of) else { throw WrongInput("--of is newest, all or record:NAME") }
            return .list(type, field, kind)
        }
    }
}

extension UseCase {
    static let listTrackers = UseCase(
        "trends list", .reads, abstract: "List what is counted, how far, and what to do about what is not.",
        discussion: """
            A row for each type that is shown, each type of private databases, list, split, alarm, and source of figures from elsewhere. What is not counted says \
            why, and To do says by which command it is.

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
        "trends track", .changes, abstract: "Count, or show, one thing more.",
        discussion: """
            It is a change of the settings under trends. What was there before is counted back by a running server.

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
        guard isChanged else { return .note("The settings said so already.") }
        if case .type = tracked { return .nothing }
        return .note("What was there before is counted back by a running server; nephos trends list says how far.")
    }

    static let untrack = UseCase(
        "trends untrack", .destroys, abstract: "Count, or show, one thing no more.",
        discussion: """
            It is a change of the settings under trends. What was counted of a list, a split or private databases is removed by a running server. A type that is not shown \
            any more is counted all the same.

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
        return isChanged ? .nothing : .note("The settings do not name it.")
    }

    static let forgetSource = UseCase(
        "trends forget-source", .destroys, abstract: "Remove figures that somebody else has counted and handed in.",
        discussion: """
            Example:

              nephos trends forget-source iCloud.com.example.app \\
                iCloud.com.example.old --yes
            """,
        .tenant, Input<String>.argument("source", help: "Its name, as nephos trends list has it."), .yes
    ) { call, tenant, source, isSure in
        try call.confirm("This removes the figures of \(source) from \(tenant).", unless: isSure)
        try await call.administration.forgetSource(source, in: tenant)
        return .nothing
    }
}
