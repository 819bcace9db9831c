import CloudKitWire
import Crypto
import NephosDomain
import NephosNetwork
import NephosStorage

/// Writes what clients have reported and counts those that are new or have changed. Each client is written at most once a day.
struct SaveReports: Sendable {
    /// Clients per transaction.
    static let most = 200
    /// The limit per environment. Further clients are ignored, because anybody with an API token can invent devices.
    static let clientsMax: Int64 = 10_000_000

    /// Devices of one network that are new on one day, for each server; further ones are ignored.
    static let newDevicesMax = 1_000

    private let rows: [(row: ClientRow, network: ClientNetwork?)]
    private let new: [AddressBlock: Int]
    private let day: Int64
    private let now: Milliseconds
    private static let news = NewsRow.of([Trends.topic])
    private static let total = TrendSumRow.of([ClientSeries.all])

    /// - Parameter new: How many new devices each network has had today.
    init(
        _ items: ArraySlice<ClientReports.Item>, _ catalog: Catalog, new: [AddressBlock: Int], now: Milliseconds
    ) {
        (self.now, day, self.new) = (now, now.clientDay, new)
        let key = SymmetricKey(data: catalog.head.signingKey)
        let day = day
        var known: Set<[UInt8]> = []
        rows = items.map { (ClientRow($0.client.key(by: key), day: day, $0.report), $0.network) }
            .filter { known.insert($0.0.client).inserted }
    }

    private var stored: Scan<ClientRow> { ClientRow.keyed(rows.map(\.row.client)) }

    var reading: ReadSet {
        var set = ReadSet()
        set.databases = [Trends.database]
        set.ask(stored)
        set.ask(Self.total)
        set.ask(Self.news)
        return set
    }

    /// Returns how many new devices each network has had by now.
    func decide(_ reading: Reading) throws -> Decision<[AddressBlock: Int]> {
        // Before the first save there is no head that counts rows.
        guard reading.databases.first.flatMap(\.self) != nil, reading.catalog.clients.isReporting else {
            return .write(WriteSet(), new)
        }
        let stored = Dictionary(reading[stored].map { ($0.client, $0) }) { first, _ in first }
        var room = Self.clientsMax - (reading[Self.total].first?.counts.net ?? 0)
        var sums = TrendSums()
        var set = WriteSet()
        var new = new
        for (row, network) in rows {
            let old = stored[row.client]
            guard old.map({ $0.day < day }) ?? (room > 0) else { continue }
            if old == nil {
                let counted = network?.counted ?? []
                guard counted.allSatisfy({ new[$0.block, default: 0] < Self.newDevicesMax * $0.share }) else {
                    continue
                }
                for (block, _) in counted { new[block, default: 0] += 1 }
                room -= 1
            }
            set.put(row, replacing: old)
            sums.add(old, row, at: now)
        }
        if let more = sums.unread(reading) { return .need(more) }
        try sums.write(reading, at: now, to: &set)
        if !sums.isEmpty { set.post(Trends.topic, replacing: reading[Self.news].first, at: now) }
        if !set.isEmpty { set.ask(for: ForgetClients.job, at: ForgetClients.next(now)) }
        return .write(set, new)
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
