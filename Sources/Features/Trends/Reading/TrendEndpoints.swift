import CloudKitWire
import NephosDomain
import NephosRunner
import NephosStorage

extension Trends {
    /// Below `/nephos/1/CONTAINER/ENVIRONMENT/trends/`, for operators of the container, with a server key or a trends token; and
    /// a page, which contains no figures.
    static func endpoints(_ host: FeatureHost) -> [Endpoint] {
        ([series, groups, imports, TrendStream.endpoint(host)] + derived).map {
            var endpoint = $0
            endpoint.bearers = .trends
            return endpoint
        } + [TrendPage.endpoint]
    }

    private static let series =
        Endpoint("trends/series", at: .container, methods: [.get]) { call in
            try call.trendAccess(.reads)
            let target = call.call.request.target
            if let source = RequestQuery.value(of: "source", in: target) { return try call.answerImported(source) }
            var question = try TrendQuestion(target, try call.trendSettings(), call.context.catalog)
            let form = try TrendForm(call.call.request)
            try question.takeLast(of: target, now: call.context.now)
            let asked = question
            return call.answering(form, asked.reading(call.context.catalog)) { reading in
                try asked.answer(reading, now: call.context.now)
            }
        }
}

extension AdmittedCall {
    func trendSettings() throws(Refusal) -> TrendSettings {
        do throws(SectionFailure) { return try context.catalog.trends() } catch {
            throw .badRequest("the settings of the container cannot be read by this server: \(error)")
        }
    }
}

extension TrendQuestion {
    /// The parameters of a query: any number of `type`, `since` and `until` as days, `by`, `zone`, `private=1`, `split` or `list`
    /// with a field; or `clients=1`, with `split` by a property.
    init(_ target: String, _ settings: TrendSettings, _ catalog: Catalog) throws(Refusal) {
        func value(_ name: StaticString) -> String? { RequestQuery.value(of: name, in: target) }
        for name in ["private", "clients"] as [StaticString] where !["0", "1"].contains(value(name) ?? "0") {
            throw .badRequest("\(name) must be 1 or 0")
        }
        var question: TrendQuestion
        do throws(TrendFailure) {
            question = try TrendQuestion(
                types: RequestQuery.values(of: "type", in: target), since: value("since"), until: value("until"),
                by: value("by"), zone: value("zone"), isPrivate: value("private") == "1",
                areClients: value("clients") == "1",
                subject: try TrendQuestion.Subject(split: value("split"), list: value("list")), settings, catalog)
        } catch {
            throw .badRequest(error.description)
        }
        self = question
    }

    /// - Parameters:
    ///   - types: Empty for all that are shown.
    ///   - since: A day such as `2026-11-23`.
    init(
        types: [String], since: String?, until: String?, by: String?, zone: String?, isPrivate: Bool,
        areClients: Bool = false, subject: Subject = .records, _ settings: TrendSettings, _ catalog: Catalog
    ) throws(TrendFailure) {
        if areClients { try subject.check(types: types, isPrivate, catalog.clients) }
        let shown =
            areClients
            ? [ClientSeries.type]
            : subject == .records
                ? settings.shown(isPrivate, in: catalog) : try subject.shown(isPrivate, settings, catalog)
        let names = types.map { Name($0) }
        guard max(names.count, names.isEmpty ? shown.count : 0) <= Self.typesMax else {
            throw TrendFailure("a response can have at most \(Self.typesMax) types: name those that you need")
        }
        if !areClients, let unknown = names.first(where: { catalog.types[$0] == nil }) {
            throw TrendFailure(
                "there is no record type \(unknown.excerpt): name one of the schema, which nephos schema export CONTAINER prints"
            )
        }
        if isPrivate, let other = names.first(where: { !shown.contains($0) }) {
            throw TrendFailure(
                "records of type \(other) in private databases are not counted: name it under trends.private in the settings"
            )
        }
        if let other = names.first(where: { !shown.contains($0) }) { try subject.refuse(other) }
        guard let days = Days(zone: zone ?? settings.zone) else {
            throw TrendFailure(
                "there is no time zone \((zone ?? "").prefix(60)): use one of the time zone database, such as Europe/Rome"
            )
        }
        self.types = names.isEmpty ? shown : names
        self.subject = subject
        side = areClients ? .ofClients : isPrivate ? .inPrivate : .inPublic
        (self.since, self.until) = try Self.span(since, until)
        period = try Self.period(by)
        self.days = days
        // Periods are complete, including the first.
        self.since = self.since.map { max(0, Days.first(of: period, $0)) }
    }
}

extension TrendQuestion {
    /// The first and the last day requested.
    static func span(_ since: String?, _ until: String?) throws(TrendFailure) -> (since: Int64?, until: Int64?) {
        let (since, until) = (try day(since, "since"), try day(until, "until"))
        if let since, let until, since > until {
            throw TrendFailure("since must not be after until")
        }
        return (since, until)
    }

    /// - Parameter name: The name of the parameter, for people.
    private static func day(_ text: String?, _ name: String) throws(TrendFailure) -> Int64? {
        guard let text else { return nil }
        guard let date = CivilDate(text) else { throw TrendFailure("\(name) must be a day such as 2026-11-23") }
        return date.days
    }

    static func period(_ by: String?) throws(TrendFailure) -> Days.Period {
        guard let period = by.map({ Days.Period(rawValue: $0) }) ?? .day else {
            throw TrendFailure("by must be day, week, month or year")
        }
        return period
    }
}

extension TrendQuestion.Subject {
    /// - Parameters:
    ///   - split: The field that a query asks to be split by.
    ///   - list: The field whose elements are asked for.
    init(split: String?, list: String?) throws(TrendFailure) {
        switch (split, list) {
        case (nil, nil): self = .records
        case (let field?, nil): self = .split(Name(field))
        case (nil, let field?): self = .list(Name(field))
        case (_?, _?): throw TrendFailure("pass a split or a list, not both")
        }
    }

    /// The types for which the subject is counted.
    fileprivate func shown(
        _ isPrivate: Bool, _ settings: TrendSettings, _ catalog: Catalog
    ) throws(TrendFailure) -> [Name] {
        guard !isPrivate else {
            throw TrendFailure("lists and splits are counted in the public database only")
        }
        let named = settings.parts.filter(isOf)
        let parts = named.filter { $0.mismatch(in: catalog) == nil }
        let types = parts.reduce(into: [Name]()) { if !$0.contains($1.type) { $0.append($1.type) } }
        guard !types.isEmpty else {
            let mismatch = named.first.flatMap { part in part.mismatch(in: catalog)?.reason(part.type, part.field) }
            throw TrendFailure(mismatch ?? lacking("no type is"))
        }
        return types
    }

    /// Clients have only their number, in total or by a property.
    fileprivate func check(types: [String], _ isPrivate: Bool, _ settings: ClientSettings) throws(TrendFailure) {
        let properties = ClientProperty.allCases.map(\.rawValue)
        guard types.isEmpty || types == [ClientSeries.type.text], !isPrivate else {
            throw TrendFailure("clients have no type and no database: omit type and private")
        }
        switch self {
        case .records: break
        case .split(let field) where properties.contains(field.text): break
        default: throw TrendFailure("clients can be split by \(properties.joined(separator: ", "))")
        }
        guard settings.isReporting else {
            throw TrendFailure("clients are not counted: set report: true under clients in the settings")
        }
    }

    fileprivate func refuse(_ type: Name) throws(TrendFailure) {
        if self != .records { throw TrendFailure(lacking("\(type) is not")) }
    }

    private func lacking(_ what: String) -> String {
        switch self {
        case .records: ""
        case .split(let field):
            "\(what) split by \(field.excerpt): name type and field under trends.splits in the settings"
        case .list(let field):
            "\(what) counted by the list \(field.excerpt): name type and field under trends.lists in the settings"
        }
    }
}
