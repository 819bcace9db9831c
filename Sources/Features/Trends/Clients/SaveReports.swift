import CloudKitWire
import Crypto
import NephosDomain
import NephosStorage

/// Writes what clients have reported and counts those that are new or have changed. Each client is written at most once a day.
struct SaveReports: Sendable {
    /// Clients per transaction.
    static let most = 200
    /// The limit per environment. Further clients are ignored, because anybody with an API token can invent devices.
    static let clientsMax: Int64 = 10_000_000

    private let rows: [ClientRow]
    private let day: Int64
    private let now: Milliseconds
    private static let news = NewsRow.of([Trends.topic])
    private static let total = TrendSumRow.of([ClientSeries.all])

    init(_ items: ArraySlice<ClientReports.Item>, _ catalog: Catalog, now: Milliseconds) {
        (self.now, day) = (now, now.clientDay)
        let key = SymmetricKey(data: catalog.head.signingKey)
        let day = day
        var known: Set<[UInt8]> = []
        rows = items.map { ClientRow($0.client.key(by: key), day: day, $0.report) }
            .filter { known.insert($0.client).inserted }
    }

    private var stored: Scan<ClientRow> { ClientRow.keyed(rows.map(\.client)) }

    var reading: ReadSet {
        var set = ReadSet()
        set.databases = [Trends.database]
        set.ask(stored)
        set.ask(Self.total)
        set.ask(Self.news)
        return set
    }

    func decide(_ reading: Reading) throws -> Decision<Void> {
        // Before the first save there is no head that counts rows.
        guard reading.databases.first.flatMap(\.self) != nil, reading.catalog.clients.isReporting else {
            return .write(WriteSet(), ())
        }
        let stored = Dictionary(reading[stored].map { ($0.client, $0) }) { first, _ in first }
        var room = Self.clientsMax - (reading[Self.total].first?.counts.net ?? 0)
        var sums = TrendSums()
        var set = WriteSet()
        for row in rows {
            let old = stored[row.client]
            guard old.map({ $0.day < day }) ?? (room > 0) else { continue }
            if old == nil { room -= 1 }
            set.put(row, replacing: old)
            sums.add(old, row, at: now)
        }
        if let more = sums.unread(reading) { return .need(more) }
        try sums.write(reading, to: &set)
        if !sums.isEmpty { set.post(Trends.topic, replacing: reading[Self.news].first, at: now) }
        if !set.isEmpty { set.ask(for: ForgetClients.job, at: ForgetClients.next(now)) }
        return .write(set, ())
    }
}

extension ClientReports.Client {
    /// A key from which a person or device cannot be found without the secret.
    func key(by key: SymmetricKey) -> [UInt8] {
        let text =
            switch self {
            case .person(let user): "client person \(user.recordName)"
            case .device(let device): "client device \(device)"
            }
        return Array(HMAC<SHA256>.authenticationCode(for: Array(text.utf8), using: key).prefix(16))
    }
}
