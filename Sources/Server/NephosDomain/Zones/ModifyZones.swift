public import CloudKitWire
public import NephosStorage

/// `zones/modify`: creates and deletes zones of a private database. Operations are carried out in order, each independently;
/// creating a zone that exists returns it unchanged.
public struct ModifyZones: Sendable {
    private let context: RequestContext
    private let database: DatabaseNumber
    private let operations: [ZonesModifyRequest.Operation]
    private let names: [Result<Name, Refusal>]

    public enum Item: Sendable {
        case exists(ZoneAnswer)
        case deleted(ZoneIdentity)
        case refused(Refusal)
    }

    public init(_ request: ZonesModifyRequest, context: RequestContext) throws(Refusal) {
        try context.require(.private)
        self.context = context
        database = try context.home()
        operations = request.operations
        names = request.operations.map { operation in
            Result { () throws(Refusal) in try context.address(operation.zoneID).zone.owned }
        }
    }

    public var reading: ReadSet {
        var set = ReadSet()
        set.databases = [database]
        for case .success(let name) in names { set.zones.append(.name(database, name)) }
        return set
    }

    public func decide(_ reading: Reading) throws(Refusal) -> Decision<[Item]> {
        guard let head = reading.databases[0] else { throw .failed }
        var state = State(head: head, now: context.now, author: context.author)
        var found = reading.zones.makeIterator()
        for case .success(let name) in names { state.stored[name] = found.next() ?? nil }

        var items: [Item] = []
        for (operation, name) in zip(operations, names) {
            switch name {
            case .failure(let refusal): items.append(.refused(refusal))
            case .success(let name):
                switch operation.kind {
                case .create: items.append(create(name, in: &state))
                case .delete: items.append(delete(name, in: &state))
                }
            }
        }
        return .write(state.writes, items)
    }

    private func create(_ name: Name, in state: inout State) -> Item {
        if let zone = state.current(name) { return .exists(context.answer(zone)) }
        guard state.head.liveZones + state.liveZonesAdded <= Int64(context.limits.zonesMax) else {
            return .refused(.limitExceeded("LIMIT: a user can have at most \(context.limits.zonesMax) zones"))
        }
        return .exists(context.answer(state.create(name)))
    }

    private func delete(_ name: Name, in state: inout State) -> Item {
        guard name != defaultZoneName else {
            return .refused(.badRequest("the default zone cannot be deleted"))
        }
        guard state.delete(name) else { return .refused(.zoneNotFound(name, .none)) }
        return .deleted(context.identity(name))
    }

    /// The zones after the operations so far.
    private struct State {
        var head: HeadRow
        let time: Milliseconds
        var stored: [Name: ZoneRow] = [:]
        var liveZonesAdded: Int64 = 0
        private var made: [ZoneNumber: ZoneRow] = [:]
        private var killed: [ZoneNumber: ZoneRow] = [:]
        private var live: [Name: ZoneRow?] = [:]
        private var noted = WriteSet()
        private let author: String

        init(head: HeadRow, now: Milliseconds, author: String) {
            self.author = author
            self.head = head
            time = max(now, head.time)
            self.head.time = time
        }

        func current(_ name: Name) -> ZoneRow? { live[name] ?? stored[name] }

        mutating func create(_ name: Name) -> ZoneRow {
            head.sequence += 1
            head.zoneNumber += 1
            let zone = ZoneRow(
                database: head.database, number: head.zoneNumber, name: name, createdSequence: head.sequence,
                changedSequence: head.sequence, createdAt: time)
            made[zone.number] = zone
            live[name] = zone
            liveZonesAdded += 1
            noted.note(.zoneCreated, zone.name, in: zone.number, head, author: author)
            return zone
        }

        /// Whether there was such a zone.
        mutating func delete(_ name: Name) -> Bool {
            guard var zone = current(name) else { return false }
            head.sequence += 1
            zone.state = .dead
            zone.changedSequence = head.sequence
            zone.deletedAt = time
            zone.clientToken = nil
            if made[zone.number] != nil { made[zone.number] = zone } else { killed[zone.number] = zone }
            live[name] = .some(nil)
            liveZonesAdded -= 1
            if zone.sharing != .nothing {
                head.touchShares([TouchedShares.ofDeadZones], at: head.sequence)
                noted.ask(for: AnnounceShares.job, at: time)
            }
            noted.note(.zoneDeleted, zone.name, in: zone.number, head, author: author)
            return true
        }

        var writes: WriteSet {
            var set = noted
            let old = Dictionary(
                stored.values.map { ($0.number, $0) }, uniquingKeysWith: { first, _ in first })
            // A dead row makes room for a live one of the same name, so the dead rows are first.
            for zone in killed.values.sorted(by: { $0.number < $1.number }) {
                set.zones.append(ZoneWrite(old: old[zone.number], new: zone))
            }
            for zone in made.values.sorted(by: { $0.number < $1.number }) {
                set.zones.append(ZoneWrite(old: nil, new: zone))
            }
            guard !set.zones.isEmpty else { return set }
            set.heads = [head]
            return set
        }
    }
}
