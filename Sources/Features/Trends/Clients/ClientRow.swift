import Audience
import CloudKitWire
import NephosStorage

/// The last report of a person's app, or of a device on which nobody is signed in (table `clients`). The row does not reveal
/// whose it is: its key is derived with a secret of the environment.
struct ClientRow: Sendable, Equatable {
    var database: DatabaseNumber = Trends.database
    /// 16 bytes.
    var client: [UInt8]
    /// The day on which it was written, since 1970 UTC.
    var day: Int64
    var version, platform, system, locale: String

    func value(_ property: ClientProperty) -> String {
        switch property {
        case .version: version
        case .platform: platform
        case .system: system
        case .language: LanguageTag(locale)?.language ?? ""
        case .region: LanguageTag(locale)?.region ?? ""
        }
    }

    /// The client as conditions of audiences see it.
    func context(now: Milliseconds) -> EvaluationContext {
        var context = EvaluationContext(now: now)
        let reported: [(EvaluationContext.Property, String)] = [
            (.locale, locale), (.platform, platform), (.osVersion, system), (.appVersion, version),
        ]
        for (property, text) in reported where !text.isEmpty { context.report(property, text) }
        context.report(.country, context.locale?.region)
        return context
    }
}

extension ClientRow {
    init(_ client: [UInt8], day: Int64, _ report: ClientReport) {
        self.init(
            client: client, day: day, version: report.version, platform: report.platform, system: report.system,
            locale: report.locale)
    }
}

extension ClientRow: StoredRow {
    static let table = Table(
        of: Self.self, "clients", .database, key: ["db", "client"],
        indexes: [Table.Index("clients_day", ["db", "day"])], isCounted: true)
    static let sample = ClientRow(client: [], day: 0, version: "", platform: "", system: "", locale: "")

    mutating func columns(_ columns: inout some Columns) throws(StorageError) {
        try columns.database(&database)
        try columns.bytes("client", &client)
        try columns.int("day", &day)
        try columns.text("version", &version)
        try columns.text("platform", &platform)
        try columns.text("system", &system)
        try columns.text("locale", &locale)
    }

    static func keyed(_ clients: [[UInt8]]) -> Scan<Self> {
        Scan(.database(Trends.database), among: clients.map { [.bytes($0)] })
    }

    /// Clients last seen before a day, the oldest first.
    static func before(_ day: Int64, limit: Int) -> Scan<Self> {
        Scan(by: "clients_day", .database(Trends.database), below: [.int(day)], limit: limit)
    }

    /// A page of all clients, by key.
    static func page(after client: [UInt8], limit: Int) -> Scan<Self> {
        Scan(.database(Trends.database), above: [.bytes(client)], limit: limit)
    }
}
