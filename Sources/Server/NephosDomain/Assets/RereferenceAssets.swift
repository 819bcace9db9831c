public import CloudKitWire
public import NephosStorage

/// `assets/rereference`: receipts for files that records of the same database reference, so that other records may reference them
/// too.
public struct RereferenceAssets: Sendable {
    private let context: RequestContext
    private let request: AssetsRereferenceRequest
    private let zone: ZoneAddress
    private let user: UserID
    /// The named records, each once.
    private let names: [Name]

    public init(_ request: AssetsRereferenceRequest, context: RequestContext) throws(Refusal) {
        guard let user = context.caller.user else { throw .authenticationRequired }
        self.context = context
        self.request = request
        self.user = user
        zone = try context.address(request.zoneID)
        var seen: Set<Name> = []
        names = request.assets.map(\.recordName).filter { seen.insert($0).inserted }
        // A receipt is valid in all zones of a database; a zone that the caller cannot have is refused nevertheless.
        guard let target = try request.targetZoneID.map({ zone throws(Refusal) in try context.address(zone) }),
            target.database != zone.database
        else { return }
        throw .badRequest("a file stays in the database of its owner: download it, and upload it to the other zone")
    }

    public var reading: ReadSet {
        var set = ReadSet()
        set.databases = [zone.database]
        set.zones = [zone.key]
        set.records = names.map { RecordKey(zone: zone.key, name: $0) }
        set.memberships = context.memberships(for: context.catalog.types.values)
        zone.restrict(&set)
        return set
    }

    public func decide(_ reading: Reading) throws(Refusal) -> Decision<[AssetReceiptDictionary]> {
        guard var head = reading.databases[0] else { throw .failed }
        guard reading.zones[0] != nil else { throw .zoneNotFound(zone.zone) }
        var addresses: [[UInt8]] = []
        let found = Dictionary(zip(names, reading.records)) { first, _ in first }
        for source in request.assets {
            addresses.append(
                try address(of: source, found[source.recordName] ?? .absent, roles: reading.memberships.first ?? []))
        }
        let files = AssetRow.at(addresses, in: zone.database)
        guard let rows = reading.rows(of: files) else {
            var more = ReadSet()
            more.ask(files)
            return .need(more)
        }
        head.time = max(head.time, context.now)
        var set = WriteSet()
        // A later release of the files is dated by the head: no earlier than these receipts.
        set.heads = [head]
        var receipts: [AssetReceiptDictionary] = []
        for address in addresses {
            guard let row = rows.first(where: { $0.address == address }) else { throw .failed }
            receipts.append(
                zone.reach == nil ? context.receipt(for: row, user) : try context.foreignReceipt(for: row, user))
        }
        return .write(set, receipts)
    }

    private func address(
        of source: AssetsRereferenceRequest.Source, _ found: Found, roles: [Int64]
    ) throws(Refusal) -> [UInt8] {
        if case .beyondLimit = found {
            throw .badRequest("these records are too large together: name fewer in one request")
        }
        guard case .record(let row) = found, let type = context.catalog.type(row.type) else {
            throw .badRequest("there is no record '\(source.recordName.excerpt)' to take a file from")
        }
        let visibility = Visibility(context, type: type, roles: roles)
        guard visibility.shows(row) else {
            if visibility.hides(row) {
                throw .badRequest("there is no record '\(source.recordName.excerpt)' to take a file from")
            }
            throw .accessDenied("you are not allowed to read records of type \(type.row.name.excerpt)")
        }
        let assets = CanonicalFields.assets(in: row.liveFields(of: type)).filter { $0.place.field == source.fieldName }
        let named = assets.first { source.fileChecksum == nil || $0.asset.fileChecksum == source.fileChecksum }
        guard let named else {
            throw .badRequest(
                "field '\(source.fieldName.excerpt)' of record '\(source.recordName.excerpt)' holds no such file")
        }
        return named.asset.address
    }
}
