import CloudKitWire
import NephosDomain
import NephosRunner
import NephosStorage

extension Trends {
    /// What the page shows of a container, as query words for `trends/series`: types, private databases, lists, clients, and
    /// imported figures.
    static let groups = Endpoint("trends/groups", at: .container, methods: [.get]) { call in
        try call.trendAccess(.reads)
        let settings = try call.trendSettings()
        let catalog = call.context.catalog
        var set = ReadSet()
        set.ask(ImportSeriesRow.all)
        return call.carryOut(set) { reading in
            .answer(call.success(TrendGroup.json(TrendGroup.all(settings, catalog, reading[ImportSeriesRow.all]))))
        }
    }
}

/// A group of series that one request to `trends/series` is about. The default is the group that needs none of these words.
private struct TrendGroup: Hashable {
    var isPrivate = false
    var areClients = false
    var source: String?
    var list: Name?

    /// Each once, in display order.
    static func all(_ settings: TrendSettings, _ catalog: Catalog, _ imported: [ImportSeriesRow]) -> [TrendGroup] {
        var groups = [TrendGroup()]
        let lists = settings.lists.filter { $0.mismatch(in: catalog) == nil }
        groups += lists.map { TrendGroup(list: $0.field) }
        if !settings.shown(true, in: catalog).isEmpty { groups.append(TrendGroup(isPrivate: true)) }
        if catalog.clients.isReporting { groups.append(TrendGroup(areClients: true)) }
        groups += imported.map { TrendGroup(source: $0.source, list: $0.list.bytes.isEmpty ? nil : $0.list) }
        var known: Set<TrendGroup> = []
        return groups.filter { known.insert($0).inserted }
    }

    static func json(_ groups: [TrendGroup]) -> [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        json.key("groups")
        json.beginArray()
        for group in groups {
            json.beginObject()
            if group.isPrivate { json.member("private", "1") }
            if group.areClients { json.member("clients", "1") }
            if let source = group.source { json.member("source", source) }
            if let list = group.list { json.member("list", list.text) }
            json.endObject()
        }
        json.endArray()
        json.endObject()
        return json.bytes
    }
}
