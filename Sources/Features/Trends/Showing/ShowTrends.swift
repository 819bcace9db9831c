import CloudKitWire
import NephosDomain
import NephosRunner
import NephosStorage

extension UseCaseGroup {
    static let trends = UseCaseGroup(
        "trends", abstract: "Show how many records are created and deleted, by day.",
        discussion: "All types of the public database are counted with every save (docs/trends.md).",
        [.showTrends, .listTrackers, .track, .untrack, .backfill, .recount, .trendTotals, .trendDeltas, .forgetSource],
        groups: [.trendTokens])
}

/// How trends are printed.
private enum TrendOutput: String, InputWord, CaseIterable { case table, json, csv, svg }

/// The options of the command.
private struct ShowTrendsOptions: Sendable {
    let types: [String]
    let since, until, by, zone: String?
    let isPrivate, areClients: Bool
    let split, list, source: String?
    /// Containers that are shown along with the first.
    let others: [String]
}

extension ShowTrendsOptions {
    func tenants(_ first: Tenant) -> [Tenant] {
        [first] + others.map { Tenant(container: $0, environment: first.environment) }
    }

    /// The answers of all containers as one.
    func answer(_ tenant: Tenant, _ call: any UseCaseCall, now: Milliseconds) throws -> TrendAnswer {
        let administration = try call.administration
        let tenants = tenants(tenant)
        var days = zone
        let answers = try tenants.map { tenant in
            let store = try administration.store(tenant)
            let catalog = try administration.read(store).catalog
            let settings = try catalog.trends()
            // The same zone for all containers.
            days = days ?? settings.zone
            do {
                return (tenant.container, try answer(administration, store, settings, catalog, zone: days, now: now))
            } catch let failure as TrendFailure where !others.isEmpty {
                throw TrendFailure("in \(tenant.container) \(failure)")
            }
        }
        return others.isEmpty ? answers[0].1 : try TrendAnswer.joined(answers) ?? answers[0].1
    }

    private func answer(
        _ administration: Administration, _ store: any TenantStore, _ settings: TrendSettings, _ catalog: Catalog,
        zone: String?, now: Milliseconds
    ) throws -> TrendAnswer {
        if let source {
            guard !areClients else { throw TrendFailure("figures from \(source.prefix(64)) do not count clients") }
            let question = try ImportedQuestion(
                source: source, types: types, since: since, until: until, by: by, zone: self.zone,
                isPrivate: isPrivate, split: split, list: list)
            return try question.answer(try administration.read(store, question.reading), now: now)
        }
        let question = try TrendQuestion(
            types: types, since: since, until: until, by: by, zone: zone, isPrivate: isPrivate,
            areClients: areClients, subject: try TrendQuestion.Subject(split: split, list: list), settings, catalog)
        return try question.answer(try administration.read(store, question.reading(catalog)), now: now)
    }
}

extension Input where Value == ShowTrendsOptions {
    fileprivate static var options: Input {
        Input(
            Input<[String]>.option(
                "type", help: "A record type; can be repeated. All types if omitted."),
            Input<String?>.option(
                "since", valueName: "day",
                help: "The first day, such as 2026-11-23; by default the first with a record."),
            Input<String?>.option("until", valueName: "day", help: "The last day; by default today."),
            Input<String?>.option("by", help: "day, week, month or year; by default day."),
            Input<String?>.option(
                "zone", help: "The time zone of the days, such as Europe/Rome; by default that of the settings."),
            .flag("private", help: "Count records in private databases, of all persons together."),
            .flag("clients", help: "Count clients that report their properties, instead of records."),
            Input<String?>.option(
                "split", valueName: "field",
                help:
                    "Show each value of a field that the settings name; for clients version, platform, system, language or region."
            ),
            Input<String?>.option(
                "list", valueName: "field",
                help: "Count the elements of a list that the settings name, instead of records."),
            Input<String?>.option(
                "source", help: "Show imported figures from a source, instead of this server's."),
            Input<[String]>.option(
                "also", valueName: "container", help: "Another container to show next to the first; can be repeated.")
        ) { types, since, until, by, zone, isPrivate, areClients, split, list, source, others in
            ShowTrendsOptions(
                types: types, since: since, until: until, by: by, zone: zone, isPrivate: isPrivate,
                areClients: areClients, split: split, list: list, source: source, others: others)
        }
    }
}

extension UseCase {
    fileprivate static let showTrends = UseCase(
        "trends show", .reads,
        abstract: "Show records created and deleted per day, week, month or year.",
        discussion: """
            Each period has a bar of the records created, their change in percent from the period before, and the number of records at its end.

            Examples:

              nephos trends show iCloud.com.example.app --type Users
              nephos trends show iCloud.com.example.app --type Post --by week \\
                --since 2026-01-01
              nephos trends show iCloud.com.example.app --type Users \\
                --also iCloud.com.example.other --watch
              nephos trends show iCloud.com.example.app --output csv
            """,
        .tenant, .options, Input<TrendOutput>.option("output", default: .table, help: "table, json, csv or svg."),
        Input<TrendView>.option("view", default: .created, help: "The figures in a picture: created, net or live."),
        .flag("watch", help: "Keep running, and print again when a figure changes.")
    ) { call, tenant, options, output, view, isWatching in
        let administration = try call.administration
        for tenant in options.tenants(tenant) {
            let catalog = try administration.read(try administration.store(tenant)).catalog
            let place = options.others.isEmpty ? "" : " of \(tenant.container)"
            for mismatch in try catalog.trends().mismatches(in: catalog) {
                call.note("The settings\(place), under trends: \(mismatch).")
            }
        }
        if let by = options.by, Days.Period(rawValue: by) == nil {
            throw Failure("--by must be day, week, month, or year, not \(by).", kind: .wrongUsage)
        }
        guard !isWatching || output == .table || output == .json else {
            throw Failure("--watch needs --output table or json.", kind: .wrongUsage)
        }
        do {
            let answer = try options.answer(tenant, call, now: call.now())
            if output != .table, let note = answer.pastNote { call.note(note) }
            let printed = answer.printed(output, view, options)
            guard isWatching else { return printed }
            try call.show(printed)
            try await watch(tenant, options, output, from: answer, call)
            return .nothing
        } catch let failure as TrendFailure {
            throw Failure(failure.sentence)
        }
    }

    /// Checks every second, as figures change at most once a second.
    private static func watch(
        _ tenant: Tenant, _ options: ShowTrendsOptions, _ output: TrendOutput, from first: TrendAnswer,
        _ call: any UseCaseCall
    ) async throws {
        var seen = first.csv
        while true {
            try await Task.sleep(for: .seconds(1))
            let answer = try options.answer(tenant, call, now: call.now())
            let new = answer.csv
            guard new != seen else { continue }
            seen = new
            // Clears the terminal.
            if output == .table { try call.show(.text(call.isAnswered ? "\u{1B}[H\u{1B}[2J" : "")) }
            try call.show(answer.printed(output, .created, options))
        }
    }
}

extension TrendAnswer {
    fileprivate func printed(_ output: TrendOutput, _ view: TrendView, _ options: ShowTrendsOptions) -> UseCaseAnswer {
        switch output {
        case .json: return .bytes(rowsJSON + [UInt8(ascii: "\n")])
        case .csv: return .bytes(csv)
        case .svg: return .bytes(svg(view))
        case .table:
            let tables = TrendTables(answer: self)
            return (options.others.isEmpty ? tables.below : tables.combined)
                .noting(options.isPrivate ? "Private databases as of their last fold, a second ago or so." : nil)
                .noting(pastNote)
        }
    }
}
