public import CloudKitWire
public import NephosStorage

/// `records/modify`: saves and deletes records.
///
/// The operations of one zone form a unit. In custom zones a unit is atomic unless the request specifies otherwise; in default
/// zones each operation is independent. Tags and existence are checked in the order of the operations; references and parents
/// against the state after the unit's last operation (docs/protocol.md, "records/modify").
public struct ModifyRecords: Sendable {
    let context: RequestContext
    /// The databases that the request may write, ascending: heads are locked in this order.
    let databases: [DatabaseNumber]
    /// The program's own token for the request, which is kept in the caller's own zones; nil keeps the previous one.
    let clientToken: [UInt8]?
    /// The users whose roles determine what the caller may do. The types of saved records are not known yet, so any type may be
    /// among them.
    let memberships: [UserID]
    private let items: [ModifyItem]
    private let units: [ModifyUnit]

    /// The result of one operation.
    public enum Outcome: Sendable {
        case saved(StoredRecord, ZoneIdentity)
        case deleted(Name)
        case refused(Refusal)
    }

    public struct Answer: Sendable {
        /// One for each operation, in order, with the record name that the request contains.
        public var items: [(name: Name?, outcome: Outcome)]
        /// The places of refused operations in a default zone, where others were carried out although the request has
        /// `atomic`.
        public var notAtomic: Set<Int> = []
        /// The token of the zone's feed after the request; nil for zones without one.
        public var feedEnd: ZoneToken?
        /// The steps that the decision took, of ``DomainLimits/decisionStepsMax``.
        public var steps: Int
    }

    /// - Parameters:
    ///   - makeName: Creates a name for a record that has none.
    public init(
        _ request: RecordsModifyRequest, context: RequestContext, makeName: () -> Name
    ) throws(Refusal) {
        self.context = context
        _ = try context.home()
        guard context.caller.user != nil else { throw .authenticationRequired }
        clientToken = request.clientChangeToken
        let zoneOfRequest = try context.address(request.zoneID)

        var items: [ModifyItem] = []
        var units: [ModifyUnit] = []
        var unitOfZone: [ZoneAddress: Int] = [:]
        for operation in request.operations {
            var item = ModifyItem(operation, name: operation.record.recordName ?? makeName())
            do throws(Refusal) {
                let zone = try operation.record.zoneID.map { zone throws(Refusal) in try context.address(zone) }
                item.zone = zone ?? zoneOfRequest
                guard operation.record.recordName != nil || operation.kind == .create else {
                    throw .badRequest("recordName is required; only create can generate a name")
                }
                try Self.checkName(item, context: context)
            } catch {
                item.refusal = error
            }
            if let zone = item.zone {
                let unit = unitOfZone[zone] ?? units.count
                if unit == units.count {
                    unitOfZone[zone] = unit
                    units.append(
                        ModifyUnit(zone, isOfWholeRequest: zone == zoneOfRequest, wantsAtomic: request.atomic))
                }
                item.unit = unit
                units[unit].items.append(items.count)
            }
            items.append(item)
        }
        try Self.checkNoDuplicates(items)
        self.items = items
        self.units = units
        var databases = [zoneOfRequest.database]
        for unit in units where !databases.contains(unit.address.database) { databases.append(unit.address.database) }
        // If it is a share record, the caller leaves the share, which their own database notes.
        if context.scope == .shared, items.count == 1, items[0].kind.isDeletion, let session = context.caller.session {
            databases.append(session.privateDatabase)
        }
        self.databases = databases.count > 1 ? databases.sorted() : databases
        memberships = context.memberships(for: context.catalog.types.values)
    }

    /// Names that start with `_` belong to user records, which only the public database contains.
    private static func checkName(_ item: ModifyItem, context: RequestContext) throws(Refusal) {
        if context.scope == .public, UserID(recordName: item.name.text) != nil { return }
        try NameRules.checkRecord(item.name)
    }

    private static func checkNoDuplicates(_ items: [ModifyItem]) throws(Refusal) {
        guard items.count > 1 else { return }
        var seen = Set<RecordKey>()
        for item in items {
            guard let unit = item.unit else { continue }
            guard seen.insert(RecordKey(zone: .number(0, Int64(unit)), name: item.name)).inserted else {
                throw .badRequest("a request can name a record only once; '\(item.name.text.prefix(40))' appears twice")
            }
        }
    }

    /// Zones of the units; records for saves, stubs for deletions, both in the order of the items.
    public var reading: ReadSet {
        var set = ReadSet()
        set.databases = databases
        set.zones = units.map(\.address.key)
        for item in items {
            guard let unit = item.unit, item.refusal == nil else { continue }
            let record = RecordKey(zone: units[unit].address.key, name: item.name)
            if item.kind.isDeletion { set.stubs.append(record) } else { set.records.append(record) }
        }
        set.recordByteLimit = context.limits.modifyAnswerBytesMax
        set.memberships = memberships
        for unit in units { unit.address.restrict(&set) }
        return set
    }

    /// The caller leaves a share: the request is the deletion of a share record by itself.
    private func leaving(_ reading: Reading) -> LeaveShare? {
        guard context.scope == .shared, items.count == 1, items[0].refusal == nil, items[0].kind.isDeletion,
            let unit = items[0].unit
        else { return nil }
        return LeaveShare(reading.stubs.first ?? nil, in: units[unit].address, context)
    }

    public func decide(_ reading: Reading) throws(Refusal) -> Decision<Answer> {
        guard reading.databases.prefix(databases.count).allSatisfy({ $0 != nil }) else { throw .failed }
        for (unit, zone) in zip(units, reading.zones) where zone == nil && unit.isOfWholeRequest {
            throw .zoneNotFound(unit.address.zone)
        }
        if let leaving = leaving(reading) {
            let answer = Answer(items: [(items[0].operation.record.recordName, .deleted(items[0].name))], steps: 0)
            return try leaving.decide(reading, databases).answering(answer)
        }
        var plan = ModifyPlan(self, items: items, units: units, reading: reading)
        if let more = try plan.fieldNeeds({ $0.deletedStubs }) { return .need(more) }
        plan.applyOperations()
        if let more = plan.assetNeeds() { return .need(more) }
        plan.checkAssets()
        return try plan.afterOperations()
    }
}

extension Decision<Void> {
    /// The same decision with an answer.
    fileprivate func answering<Value: Sendable>(_ answer: Value) -> Decision<Value> {
        switch self {
        case .write(let set, _): .write(set, answer)
        case .need(let more, _): .need(more)
        }
    }
}

/// One operation of a request.
struct ModifyItem: Sendable {
    let operation: RecordOperation
    let name: Name
    /// Its zone, if the request names one that the caller may have.
    var zone: ZoneAddress?
    /// Index of its unit.
    var unit: Int?
    /// Known before anything is read.
    var refusal: Refusal?

    init(_ operation: RecordOperation, name: Name) {
        self.operation = operation
        self.name = name
    }

    var kind: RecordOperation.Kind { operation.kind }
}

/// The operations of one zone.
struct ModifyUnit: Sendable {
    let address: ZoneAddress
    /// The zone of references in its records.
    let references: ReferenceZone
    /// Named by the request itself, so that its absence is the request's failure.
    var isOfWholeRequest: Bool
    /// Whether an operation that fails makes the others fail: never in a default zone.
    var isAtomic: Bool
    /// Whether the request asked for that where it does not apply.
    var ignoresAtomic: Bool
    /// Indices of its items, in order.
    var items: [Int] = []

    init(_ address: ZoneAddress, isOfWholeRequest: Bool, wantsAtomic: Bool?) {
        self.address = address
        references = address.references
        self.isOfWholeRequest = isOfWholeRequest
        let isDefaultZone = address.zone == defaultZoneName
        isAtomic = !isDefaultZone && wantsAtomic ?? true
        ignoresAtomic = isDefaultZone && wantsAtomic ?? false
    }
}

extension RecordOperation.Kind {
    var isDeletion: Bool { self == .delete || self == .forceDelete }
    /// The change tag is ignored, and a missing record is created.
    var isForced: Bool { self == .forceUpdate || self == .forceReplace || self == .forceDelete }
    /// Fields that are not sent are removed.
    var replaces: Bool { self == .replace || self == .forceReplace || self == .create }
}
