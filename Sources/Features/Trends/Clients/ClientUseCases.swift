import Audience
import CloudKitWire
import NephosDomain
import NephosRunner
import NephosStorage

extension UseCaseGroup {
    static let clients = UseCaseGroup(
        "clients", abstract: "Show which versions, platforms and languages clients have.",
        discussion: "They are counted if the settings have `report: true` under clients (docs/clients.md).",
        [.showClients, .reachClients])
}

extension ClientProperty: InputWord {}

extension UseCase {
    fileprivate static let showClients = UseCase(
        "clients show", .reads, abstract: "Show the number of clients by version or another property.",
        discussion: """
            Counts the clients that have reported within the number of days in the settings, each by its latest report.

            Examples:

              nephos clients show iCloud.com.example.app
              nephos clients show iCloud.com.example.app --by language
            """,
        .tenant,
        Input<ClientProperty>.option(
            "by", default: .version, help: "version, platform, system, language or region."),
        Input<Output>.output
    ) { call, tenant, property, output in
        let operations = try ClientOperations(call, tenant)
        let spread = try operations.spread(of: property)
        switch output {
        case .json: return .bytes(spread.json(property))
        case .table:
            return .table(
                [property.rawValue.prefix(1).uppercased() + property.rawValue.dropFirst(), "Clients", "Share"],
                spread.values.map { value, count in
                    [value.isEmpty ? "(not reported)" : value, "\(count)", spread.share(count)]
                }, whenEmpty: "No client has reported yet."
            ).noting("Clients that have reported within \(operations.settings.keepDays) days: \(spread.total).")
        }
    }

    fileprivate static let reachClients = UseCase(
        "clients reach", .reads, abstract: "Show how many clients are in an audience, by latest reports.",
        discussion: """
            Conditions on what clients do not report match none: roles, facts, percentages, devices and claims. Conditions on time use the current \
            time.

            Examples:

              nephos clients reach iCloud.com.example.app spanish
              nephos clients reach iCloud.com.example.app '{"app":">=2.3"}'
            """,
        .tenant,
        Input<String>.argument("audience", help: "The name of an audience in the settings, or a condition as JSON.")
    ) { call, tenant, text in
        let operations = try ClientOperations(call, tenant)
        let (fitting, all) = try operations.reach(of: text, now: call.now())
        return .note(
            "\(fitting) of \(all) clients that have reported within \(operations.settings.keepDays) days are in this audience."
        )
    }
}

/// The clients of one environment, for operator commands.
private struct ClientOperations {
    private let call: any UseCaseCall
    private let administration: Administration
    private let store: any TenantStore
    private let catalog: Catalog
    let settings: ClientSettings

    /// - Throws: If clients are not counted.
    init(_ call: any UseCaseCall, _ tenant: Tenant) throws {
        self.call = call
        administration = try call.administration
        store = try administration.store(tenant)
        catalog = try administration.read(store).catalog
        settings = catalog.clients
        guard settings.isReporting else {
            throw Failure(
                "Clients of \(tenant) are not counted: set report: true under clients in the settings (docs/clients.md)."
            )
        }
    }

    struct Spread {
        let total: Int64
        /// Ordered by count, highest first.
        let values: [(value: String, count: Int64)]

        func share(_ count: Int64) -> String { "\((200 * count + total) / (2 * max(1, total))) %" }

        func json(_ property: ClientProperty) -> [UInt8] {
            var json = JSONWriter()
            json.beginObject()
            json.member("by", property.rawValue)
            json.member("clients", total)
            json.key("values")
            json.beginArray()
            for (value, count) in values {
                json.beginObject()
                json.member("value", value)
                json.member("clients", count)
                json.endObject()
            }
            json.endArray()
            json.endObject()
            return json.bytes + [UInt8(ascii: "\n")]
        }
    }

    func spread(of property: ClientProperty) throws(AdminError) -> Spread {
        let (all, each) = (
            TrendSumRow.of([ClientSeries.all]),
            TrendSumRow.of(.ofClients, ClientSeries.number, ClientSeries.part(property).id)
        )
        var set = ReadSet()
        set.ask(all)
        set.ask(each)
        let reading = try administration.read(store, set)
        let values = reading[each].map { ($0.series.valueText, $0.counts.net) }.filter { $0.1 > 0 }
        return Spread(
            total: reading[all].first?.counts.net ?? 0,
            values: values.sorted { $0.1 == $1.1 ? $0.0 < $1.0 : $0.1 > $1.1 })
    }

    func reach(of text: String, now: Milliseconds) throws -> (fitting: Int64, all: Int64) {
        let book: AudienceBook
        do throws(SectionFailure) { book = try catalog.audiences().prepared(at: now) } catch {
            throw Failure("The audiences cannot be read by this program: \(error)")
        }
        let condition: Condition
        do throws(WireError) { condition = try Self.condition(text).prepared(at: now) } catch {
            throw Failure("The condition cannot be read: \(error). Pass one such as '{\"locale\":\"es\"}'.")
        }
        if let name = book.missingAudience(of: condition) {
            let (tenant, audience) = (catalog.head.tenant, Name(name).excerpt)
            let export = call.command("settings export \(tenant.asTyped)")
            throw Failure("There is no audience \(audience) in the settings of \(tenant). See all with: \(export)")
        }
        var (fitting, all): (Int64, Int64) = (0, 0)
        try ClientPages(administration: administration, store: store).forEach { row in
            all += 1
            if book.verdict(of: condition, for: row.context(now: now)) == .yes { fitting += 1 }
        }
        return (fitting, all)
    }

    private static func condition(_ text: String) throws(WireError) -> Condition {
        guard text.hasPrefix("{") else { return .audience(text) }
        return try TypedCondition(Array(text.utf8)[...], salt: text, nil).condition
    }
}
