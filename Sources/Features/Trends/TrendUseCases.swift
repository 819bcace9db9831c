import CloudKitWire
import NephosDomain
import NephosRunner
import NephosStorage

extension UseCaseGroup {
    static let trends = UseCaseGroup(
        "trends", abstract: "Show how many records came and went, day by day.",
        discussion: "All types of the public database are counted with every save (docs/trends.md).",
        [.showTrends, .listTrackers, .track, .untrack, .trendTotals, .trendDeltas, .forgetSource],
        groups: [.trendTokens])
}

/// How trends are printed.
private enum TrendOutput: String, InputWord, CaseIterable { case table, json, csv, svg }

/// What is asked for.
private struct TrendWishes: Sendable {
    let types: [String]
    let since, until, by, zone: String?
    let isPrivate: Bool
    let split, list, source: String?
}

extension TrendWishes {
    func answer(
        _ administration: Administration, _ store: any TenantStore, _ settings: TrendSettings, _ catalog: Catalog,
        now: Milliseconds
    ) throws -> TrendAnswer {
        if let source {
            let question = try ImportedQuestion(
                source: source, types: types, since: since, until: until, by: by, zone: zone, isPrivate: isPrivate,
                split: split, list: list)
            return try question.answer(try administration.read(store, question.reading), now: now)
        }
        let question = try TrendQuestion(
            types: types, since: since, until: until, by: by, zone: zone, isPrivate: isPrivate,
            subject: try TrendQuestion.Subject(split: split, list: list), settings, catalog)
        return try question.answer(try administration.read(store, question.reading(catalog)), now: now)
    }
}

extension Input where Value == TrendWishes {
    fileprivate static var wishes: Input {
        Input(
            Input<[String]>.option(
                "type", help: "A record type; several are shown one after the other. All without one."),
            Input<String?>.option(
                "since", valueName: "day", help: "The first day, such as 2026-11-23; else the first with a record."),
            Input<String?>.option("until", valueName: "day", help: "The last day; else today."),
            Input<String?>.option("by", help: "day, week, month or year; else day."),
            Input<String?>.option(
                "zone", help: "Whose days these are, such as Europe/Rome; else what the settings say."),
            .flag("private", help: "Those in private databases, of all persons together."),
            Input<String?>.option(
                "split", valueName: "field", help: "Each value of a field by itself, which the settings name."),
            Input<String?>.option(
                "list", valueName: "field", help: "The elements of a list, which the settings name, not the records."),
            Input<String?>.option(
                "source", help: "Figures that were counted elsewhere and handed in, instead of this server's.")
        ) { types, since, until, by, zone, isPrivate, split, list, source in
            TrendWishes(
                types: types, since: since, until: until, by: by, zone: zone, isPrivate: isPrivate, split: split,
                list: list, source: source)
        }
    }
}

extension UseCase {
    fileprivate static let showTrends = UseCase(
        "trends show", .reads, abstract: "Show how many records came and went in each day, week, month or year.",
        discussion: """
            Each period has its bar of records created, and how many there were at its end.

            Examples:

              nephos trends show iCloud.com.example.app --type Users
              nephos trends show iCloud.com.example.app --type Post --by week --since 2026-01-01
              nephos trends show iCloud.com.example.app --output csv
            """,
        .tenant, .wishes, Input<TrendOutput>.option("output", default: .table, help: "table, json, csv or svg."),
        Input<TrendView>.option("view", default: .created, help: "What a picture shows: created, net or live.")
    ) { call, tenant, wishes, output, view in
        let administration = try call.administration
        let store = try administration.store(tenant)
        let catalog = try administration.read(store).catalog
        let settings = try catalog.trends()
        for misfit in settings.misfits(in: catalog) { call.note("What the settings say under trends: \(misfit).") }
        do {
            let answer = try wishes.answer(administration, store, settings, catalog, now: call.now())
            if output != .table, let note = answer.pastNote { call.note(note) }
            switch output {
            case .json: return .bytes(answer.rowsJSON + [UInt8(ascii: "\n")])
            case .csv: return .bytes(answer.csv)
            case .svg: return .bytes(answer.svg(view))
            case .table:
                return answer.tables.reduce(UseCaseAnswer.nothing) { $0.then($1) }
                    .noting(wishes.isPrivate ? "Private databases as of their last fold, a second ago or so." : nil)
                    .noting(answer.pastNote)
            }
        } catch let failure as TrendFailure {
            throw Failure(failure.sentence)
        }
    }
}

extension TrendAnswer {
    private static let barWidth: Int64 = 30

    /// One table for each series, with a bar of what was created, or of how long a list is.
    fileprivate var tables: [UseCaseAnswer] {
        series.map { one in
            let columns = one.columns
            let shown = one.list == nil ? columns.first : columns.last
            let most = shown?.numbers.max() ?? 0
            let rows = starts.indices.map { place -> [String] in
                let isPartial = isLastPartial && place == starts.count - 1
                return ["\(CivilDate(starts[place]))" + (isPartial ? " so far" : "")]
                    + columns.flatMap { column -> [String] in
                        let number = column.numbers[place]
                        let isShown = "\(column.name)" == shown.map { "\($0.name)" }
                        return ["\(number)"] + (isShown ? [Self.bar(number, most)] : [])
                    }
            }
            let heads = columns.flatMap { column -> [String] in
                let name = "\(column.name)"
                return [name.prefix(1).uppercased() + name.dropFirst()]
                    + (name == shown.map { "\($0.name)" } ? [""] : [])
            }
            return UseCaseAnswer.table([one.title] + heads, rows).noting(summary(of: one))
        }
    }

    private func summary(of one: Series) -> String {
        let total = one.counts.reduce(into: TrendCounts()) { $0 += $1 }
        let how = "by \(period.rawValue) in \(days.name)"
        guard one.list == nil else {
            return "\(one.title): \(one.live.last ?? 0) elements, \(total.net) more than before, \(how)."
        }
        return
            "\(one.title): \(total.created) created, \(total.deleted) deleted, \(total.restored) restored, \(how)."
    }

    /// In eighths of a character; the least that is more than nothing is seen.
    private static func bar(_ count: Int64, _ most: Int64) -> String {
        guard count > 0, most > 0 else { return "" }
        let eighths = max(1, Int(Double(count) / Double(most) * Double(barWidth * 8)))
        let rest = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"][eighths % 8]
        return String(repeating: "█", count: eighths / 8) + rest
    }
}
