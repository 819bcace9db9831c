import CloudKitWire
import NephosStorage

/// The state of one modify request while it is decided: the result of each operation so far.
///
/// Steps, in order: apply the operations; find the references between records; check references until nothing more fails; then
/// number the surviving changes and write them.
struct ModifyPlan {
    let context: RequestContext
    let items: [ModifyItem]
    let units: [ModifyUnit]
    /// Grows each time the decision continues after another read.
    private(set) var reading: Reading
    /// ``ModifyRecords/clientToken``.
    let clientToken: [UInt8]?
    /// The caller's own roles, from this snapshot.
    let roles: [Int64]
    let databaseCount: Int
    /// How many memberships of the reading are the caller's.
    let callerMemberships: Int
    /// The features' rules for changes.
    let rules: Rules
    var ruled = RuledChanges()
    /// The own roles of users whose references may protect what is deleted (``holderNeeds()``).
    var rolesOfHolders: [UserID: [Int64]] = [:]
    /// The steps used so far.
    var steps: StepMeter
    var states: [ItemState]
    var growth: SchemaGrowth
    /// Files for which operations contained receipts.
    private var receipts = 0
    /// References that operations sent, and that their records had before.
    private var referencesCounted = 0
    var references: [UnitReferences]
    var shares: [UnitShares]
    /// Whether an operation saves or deletes a share record, which is rare.
    private(set) var concernsShareRecords = false
    /// How many records were read because of shares that the request creates or ends (``learnShareRecords()``).
    var recordsOfShares = 0
    /// How many ancestors of the reading are those of parents.
    var linesOfParents = 0
    /// How many cascades of the reading are those of references.
    private(set) var referenceCascades = 0
    /// Waiting cascades under the names of deleted records that leave some holders (``waitingNeeds()``).
    var waiting: [PendingCascadeRow] = []
    /// The rows stored for saved items.
    var rows: [RecordRow?]
    /// The zones that the units changed.
    var zonesAfter: [ZoneRow?]

    init(_ request: ModifyRecords, items: [ModifyItem], units: [ModifyUnit], reading: Reading) {
        context = request.context
        self.items = items
        self.units = units
        self.reading = reading
        clientToken = request.clientToken
        databaseCount = request.databases.count
        rules = reading.catalog.rules
        callerMemberships = request.memberships.count
        roles = callerMemberships > 0 ? reading.memberships.first ?? [] : []
        steps = StepMeter(max: request.context.limits.decisionStepsMax)
        states = items.map { $0.refusal.map(ItemState.refused) ?? .refused(.failed) }
        growth = SchemaGrowth(request.context)
        references = units.map { _ in UnitReferences() }
        shares = units.map { _ in UnitShares() }
        rows = items.map { _ in nil }
        zonesAfter = units.map { _ in nil }
    }

    /// Whether the operations may break a reference, or need one to hold.
    var concernsReferences: Bool {
        states.contains { state in
            switch state {
            case .saved(let draft): !draft.newReferences.isEmpty
            case .deleted: true
            case .alreadyGone, .refused: false
            }
        }
    }

    /// The heads of ``ModifyRecords/databases``, before the request.
    var heads: [HeadRow] { reading.databases.prefix(databaseCount).compactMap(\.self) }

    /// The incarnation of a unit's zone; nil if there is none.
    func zone(_ unit: Int) -> ZoneRow? { reading.zones[unit] }

    // MARK: Steps

    /// Continues after each operation was applied to its record.
    consuming func afterOperations() throws(Refusal) -> Decision<ModifyRecords.Answer> {
        if concernsReferences || concernsShares || concernsShareRecords {
            let start = self
            if let more = try learnAll() {
                return .need(restricted(more)) { reading in try start.seeing(reading).afterOperations() }
            }
        }
        if let more = learnChanges() { return .need(restricted(more)) }
        guard let more = ruleNeeds() else { return try end() }
        let kept = PausedPlan(self)
        return .need(more) { reading in
            guard var plan = kept.take() else { throw Refusal.failed }
            // Rules need nothing else.
            plan.reading.found = reading.found
            return try plan.end()
        }
    }

    /// Refuses operations that would break something, and writes the rest.
    private mutating func end() throws(Refusal) -> Decision<ModifyRecords.Answer> {
        try checkReferences()
        if let report = reading.oversized.last, !hasLeftCascade || reading.oversized.count > 1 {
            let rows = report.rows + report.entries
            throw .limitExceeded(
                rows > commitRowsMax
                    ? "the request would write \(rows) rows, references and index entries, more than the limit of \(commitRowsMax); "
                        + "put fewer records into one request"
                    : "the request has too many list members and words in fields with indexes; put fewer records into one request"
            )
        }
        return .write(writes(), answer())
    }

    private consuming func seeing(_ reading: Reading) -> Self {
        self.reading = reading
        return self
    }

    /// Finds what is needed beyond the records of the operations. - Returns: What must be read for that; nil if it was.
    private mutating func learnAll() throws(Refusal) -> ReadSet? {
        if concernsShareRecords, let more = learnShareRecords() { return more }
        if concernsReferences, let more = try learnReferences() { return more }
        if let more = learnEndedRoots() { return more }
        return learnShares()
    }

    /// Finds the references between records. - Returns: What must be read for that; nil if it was.
    private mutating func learnReferences() throws(Refusal) -> ReadSet? {
        let needs = try referenceNeeds()
        referenceCascades = needs.cascades.count
        if let more = needs.missing(in: reading) { return more }
        if let more = try fieldNeeds({ $0.targets(of: needs) }) { return more }
        try loadReferences(needs)
        let further = cascadeNeeds(after: needs)
        if let more = further.missing(in: reading) { return more }
        loadCascades(further)
        if let more = holderNeeds() { return more }
        if !reading.oversized.isEmpty { leaveCascades() }
        if let more = waitingNeeds() { return more }
        return try fieldNeeds { $0.cascaded }
    }

    // MARK: Operations

    /// Applies each operation to what it finds; an atomic batch that fails leaves no changes.
    mutating func applyOperations() {
        var records = reading.records.makeIterator()
        var stubs = reading.stubs.makeIterator()
        var answerBytes = 0
        for (index, item) in items.enumerated() where item.refusal == nil {
            guard let unit = item.unit else { continue }
            // Consumed in any case: results are in the order of the items.
            let found: ItemFound =
                item.kind.isDeletion ? .stub(stubs.next() ?? nil) : .record(records.next() ?? .absent)
            guard zone(unit) != nil else {
                states[index] = .refused(.zoneNotFound(units[unit].address.zone))
                continue
            }
            states[index] = apply(item, to: found, answerBytes: &answerBytes)
        }
        for unit in units.indices { failAtomically(unit) }
    }

    private mutating func apply(_ item: ModifyItem, to found: ItemFound, answerBytes: inout Int) -> ItemState {
        do throws(Refusal) {
            let draft: RecordDraft
            switch found {
            case .stub(let stub): return try delete(item, stub)
            case .record(.absent): draft = try create(item)
            case .record(.record(let row)):
                if let type = context.catalog.type(row.type) {
                    draft = try update(item, row, type)
                } else {
                    draft = try create(item, hidden: RecordStub(row))
                }
            case .record(.beyondLimit): throw answerIsFull
            case .record(.outside):
                // The same answer as for a missing record, except that the name is taken.
                _ = try typeToCreate(item)
                throw .recordExists(nil)
            }
            try charge(draft, to: &answerBytes)
            return .saved(draft)
        } catch {
            return .refused(error)
        }
    }

    var answerIsFull: Refusal {
        .tryAgainLater("the answer would be too large: save this record in another request", seconds: 1)
    }

    private func charge(_ draft: RecordDraft, to answerBytes: inout Int) throws(Refusal) {
        let cost = draft.name.bytes.count + draft.fields.count + 512 + draft.assetPlaces * AssetMembers.bytesEstimate
        guard answerBytes + cost <= context.limits.modifyAnswerBytesMax else { throw answerIsFull }
        answerBytes += cost
    }

    /// What the caller may see of records of a type, and do with them.
    func visibility(_ type: Name) -> Visibility {
        Visibility(context, type, roles: roles)
    }

    private mutating func delete(_ item: ModifyItem, _ stub: RecordStub?) throws(Refusal) -> ItemState {
        guard let stub, let type = context.catalog.type(stub.type)?.row.name else {
            guard item.kind == .forceDelete else { throw .recordNotFound }
            return .alreadyGone
        }
        guard type != "Users" else { throw .badRequest("records of type Users cannot be deleted") }
        let visibility = visibility(type)
        guard visibility.rights.mayWrite(createdBy: stub.createdBy) else {
            if let row = ruled.row(of: stub), visibility.hides(row) {
                // The same answer as for a missing record.
                guard item.kind == .forceDelete else { throw .recordNotFound }
                return .alreadyGone
            }
            throw .notAllowed(to: "delete this record of type \(type)", lacking: "WRITE")
        }
        try checkMayWrite(stub, item)
        if item.kind == .delete, let tag = item.operation.record.recordChangeTag {
            guard isTag(tag, of: (stub.database, stub.number, stub.tagSequence), in: item.unit) else {
                throw .conflict(nil)
            }
        }
        if stub.flags.contains(.share) { concernsShareRecords = true }
        return .deleted(stub)
    }

    /// - Parameter hidden: A record of a removed type with the same name.
    private mutating func create(_ item: ModifyItem, hidden: RecordStub? = nil) throws(Refusal) -> RecordDraft {
        return try draft(item, type: try typeToCreate(item), base: nil, hidden: hidden)
    }

    /// The type of a record that may be created.
    ///
    /// - Throws: If none may be created, whatever exists with that name.
    private func typeToCreate(_ item: ModifyItem) throws(Refusal) -> Name {
        guard item.kind == .create || item.kind.isForced else { throw .recordNotFound }
        guard let type = item.operation.record.recordType else {
            throw .badRequest("recordType is required to create a record")
        }
        if ShareType.isNamed(type), context.scope != .public {
            try checkNewShare(item)
            return ShareType.name
        }
        guard type != "Users" else {
            throw .badRequest("records of type Users cannot be created: the server creates one for each user")
        }
        try NameRules.checkRecord(item.name)
        try NameRules.checkType(type)
        try checkMayCreate(item)
        guard visibility(type).rights.mayCreate else {
            throw .notAllowed(to: "create records of type \(type)", lacking: "CREATE")
        }
        return type
    }

    private mutating func update(
        _ item: ModifyItem, _ row: RecordRow, _ known: RecordType
    ) throws(Refusal) -> RecordDraft {
        let type = known.row.name
        let visibility = visibility(type)
        if visibility.hides(row) {
            // The same answer as for a missing record, except that the name is taken: a caller that may not create a record does
            // not learn that either.
            _ = try typeToCreate(item)
            throw .recordExists(nil)
        }
        guard item.kind != .create else { throw .recordExists(serverRecord(item, row, known)) }
        guard visibility.rights.mayWrite(createdBy: row.createdBy) else {
            guard type != "Users" else {
                throw .accessDenied("you are not allowed to change this record of type Users: only its own user can")
            }
            throw .notAllowed(to: "change this record of type \(type)", lacking: "WRITE")
        }
        // Who may see a share is never changed by somebody who does not know what it was.
        try checkMayWrite(RecordStub(row), item)
        if !item.kind.isForced || row.flags.contains(.share) {
            guard let tag = item.operation.record.recordChangeTag else {
                throw .badRequest(
                    row.flags.contains(.share)
                        ? "recordChangeTag is required to change a share, also if that is forced"
                        : "recordChangeTag is required; to overwrite the server's record, use forceUpdate")
            }
            guard isTag(tag, of: (row.database, row.number, row.tagSequence), in: item.unit) else {
                if row.flags.contains(.share) { concernsShareRecords = true }
                throw .conflict(serverRecord(item, row, known))
            }
        }
        if let given = item.operation.record.recordType, given != type,
            !(ShareType.isNamed(given) && type == ShareType.name)
        {
            throw .badRequest("the record is of type \(type), not \(given.excerpt); the type of a record cannot change")
        }
        return try draft(item, type: type, base: RecordDraft.Base(row, type: known), hidden: nil)
    }

    private func serverRecord(_ item: ModifyItem, _ row: RecordRow, _ type: RecordType) -> ServerRecord? {
        guard let zone = item.zone, visibility(type.row.name).shows(row) else { return nil }
        return ServerRecord(
            record: StoredRecord(row: row, type: type, in: zone, context), zone: zone.identity)
    }

    private mutating func draft(
        _ item: ModifyItem, type: Name, base: RecordDraft.Base?, hidden: RecordStub?
    ) throws(Refusal) -> RecordDraft {
        let patch = try self.patch(item, type: type)
        if item.zone?.isPublic == true, patch.hasEncrypted {
            throw .badRequest("encrypted fields are not supported in the public database")
        }
        let isUser = type == "Users"
        if isUser, UserRoles.areNamed(in: patch) {
            throw .badRequest("roles are granted by the operator of the container, not through records")
        }
        if type == ShareType.name, patch.references.contains(where: { $0.action != .none }) {
            throw .badRequest(
                "references of a share must have the action NONE: a share is not deleted along with others")
        }
        try checkReceipts(patch.assets, base: base, in: item.zone)
        try countReferences(patch.references.count, base: base)
        let draft = RecordDraft(
            name: item.name, type: type, patch: patch, replaces: item.kind.replaces,
            keeping: kept(of: base, isUser: isUser),
            parent: try self.parent(item, old: base?.row), base: base, hidden: hidden)
        let limits = context.limits
        guard draft.name.bytes.count + draft.fields.count <= limits.recordBytesMax else {
            throw .limitExceeded("a record can have at most \(limits.recordBytesMax) bytes without its assets")
        }
        guard CanonicalFields.count(in: draft.fields) <= limits.fieldsMax else {
            throw .limitExceeded("a record can have at most \(limits.fieldsMax) fields")
        }
        guard draft.assetPlaces <= limits.assetPlacesMax else {
            throw .limitExceeded("a record can hold at most \(limits.assetPlacesMax) files")
        }
        if let refusal = rules.refusal(of: draft.fields, type) { throw refusal }
        try growth.absorb(type, patch.fields)
        if draft.flags.contains(.share) { concernsShareRecords = true }
        return draft
    }

    /// Fields that stay although a save replaces all; nil for none.
    private func kept(of base: RecordDraft.Base?, isUser: Bool) -> Bytes? {
        guard let base else { return nil }
        if isUser { return UserRoles.only(in: base.fields) }
        return base.row.isOfSharing ? ReservedFields.only(in: base.fields) : nil
    }

    private func patch(_ item: ModifyItem, type: Name) throws(Refusal) -> FieldsPatch {
        guard let unit = item.unit else { throw .failed }
        let known = growth.fields(of: type)
        do {
            return try item.operation.record.fields.patch(
                recordType: type, zone: units[unit].references, bytesMax: context.limits.recordBytesMax
            ) { known[$0] }
        } catch {
            throw error.isLimit ? .limitExceeded(error.reason) : .badRequest(error.reason)
        }
    }

    /// A reference takes more memory than its bytes in the request. So references are counted before they are decoded.
    private mutating func countReferences(_ sent: Int, base: RecordDraft.Base?) throws(Refusal) {
        let count = sent + Int(clamping: base?.row.referenceCount ?? 0)
        guard count <= context.limits.referencesMax - referencesCounted else {
            throw .limitExceeded(
                "the records of a request can have at most \(context.limits.referencesMax) references, counted before and after it"
            )
        }
        referencesCounted += count
    }

    /// A client sends a receipt for each file, or sends back what the record already contains.
    private mutating func checkReceipts(
        _ assets: [FieldAsset], base: RecordDraft.Base?, in zone: ZoneAddress?
    ) throws(Refusal) {
        guard !assets.isEmpty, let zone else { return }
        let held = base.map { Set(CanonicalFields.assets(in: $0.fields).map(\.asset)) } ?? []
        for asset in assets where !held.contains(FieldAsset(address: asset.address, size: asset.size)) {
            guard let text = asset.receipt,
                let receipt = try? AssetReceipt(String(decoding: text, as: UTF8.self), key: context.signingKey),
                receipt.isValid(for: asset, in: context, zone.database)
            else { throw .badRequest(FieldAsset.notValidated) }
            receipts += 1
        }
        guard receipts <= context.limits.assetsMax else {
            throw .limitExceeded("a request can put at most \(context.limits.assetsMax) files into records")
        }
    }

    private func parent(_ item: ModifyItem, old: RecordRow?) throws(Refusal) -> Name? {
        switch item.operation.record.parent {
        case .unchanged: return old?.parent
        case .clear: return nil
        case .set(let parent):
            if let zone = item.operation.record.parentZoneID {
                guard try context.address(zone) == item.zone else {
                    throw .badRequest("a parent must be in the zone of its child")
                }
            }
            guard parent != item.name else { throw .badRequest("a record cannot be its own parent") }
            if ShareType.isNamed(item.operation.record.recordType) || old?.flags.contains(.share) == true {
                throw .badRequest("a share has no parent: forRecord names the record that it is of")
            }
            try NameRules.checkRecord(parent)
            return parent
        }
    }

    // MARK: Files

    /// What must be read about the files of new references; nil if it was read.
    func assetNeeds() -> ReadSet? {
        let files = newAssets
        guard !files.isEmpty else { return nil }
        var set = ReadSet()
        for database in files.keys.sorted() { if let files = files[database] { set.ask(files) } }
        return reading.unread(of: set)
    }

    /// By database; empty if there are none, which is usual.
    private var newAssets: [DatabaseNumber: Scan<AssetRow>] {
        var addresses: [DatabaseNumber: Set<[UInt8]>] = [:]
        for (index, state) in states.enumerated() {
            guard case .saved(let draft) = state, !draft.newAssets.isEmpty, let zone = items[index].zone else {
                continue
            }
            addresses[zone.database, default: []].formUnion(draft.newAssets.map(\.address))
        }
        return Dictionary(uniqueKeysWithValues: addresses.map { ($0, AssetRow.at($1, in: $0)) })
    }

    /// Refuses records that reference a file that no longer exists.
    mutating func checkAssets() {
        let files = newAssets
        guard !files.isEmpty else { return }
        let sizes = files.mapValues { scan in
            Dictionary(reading[scan].map { ($0.address, $0.size) }) { first, _ in first }
        }
        for index in states.indices {
            guard case .saved(let draft) = states[index], let zone = items[index].zone else { continue }
            let isThere = draft.newAssets.allSatisfy { sizes[zone.database]?[$0.address] == $0.size }
            if !isThere { states[index] = .refused(.badRequest(FieldAsset.notValidated)) }
        }
        for unit in units.indices { failAtomically(unit) }
    }

    /// If one operation of an atomic unit failed, the others fail with it.
    mutating func failAtomically(_ unit: Int) {
        guard units[unit].isAtomic, units[unit].items.contains(where: { states[$0].refusal != nil }) else { return }
        for index in units[unit].items {
            if case .refused(let refusal) = states[index] {
                // Retrying part of a batch would not save the batch.
                if case .tryAgainLater(let reason, _) = refusal { states[index] = .refused(.badRequest(reason)) }
            } else {
                states[index] = .refused(.atomicFailure)
            }
        }
    }
}

/// What the store contains for an item.
enum ItemFound {
    case record(Found)
    case stub(RecordStub?)
}

/// The result of an item.
enum ItemState {
    case saved(RecordDraft)
    case deleted(RecordStub)
    /// A forced deletion of a record that does not exist: answered as deleted, and nothing is written.
    case alreadyGone
    case refused(Refusal)

    var refusal: Refusal? {
        if case .refused(let refusal) = self { return refusal }
        return nil
    }
}
