import CloudKitWire
import NephosStorage

/// A share that a request creates, changes or ends by its share record.
struct ShareEdit {
    /// As it is stored; nil for a new one.
    var old: ShareRow?
    /// As it is afterwards; for a share that ends, as it was.
    var row: ShareRow
    var list: ShareList
    /// The stored rows of its participants.
    var people: [ParticipantRow]
    var ends = false
}

/// A share that ends because its root is deleted.
struct EndedShare {
    var row: ShareRow
    var people: [ParticipantRow]
    /// Its share record; nil if the request deletes it by name.
    var record: RecordStub?
}

/// Share records: records of type `cloudkit.share` say who may see a record with all below it, or a zone. A new one makes the record that
/// it names the root of a share, a deleted one ends the share (docs/protocol.md, "Shares").
extension ModifyPlan {
    /// Refuses a new share record by what needs no reading.
    func checkNewShare(_ item: ModifyItem) throws(Refusal) {
        guard let zone = item.zone, zone.right == .owner else {
            throw .badDatabase("only owners share their records: name private in the path")
        }
        guard zone.zone != defaultZoneName else {
            throw .badRequest(
                "records of the default zone cannot be shared: keep them in a zone that zones/modify creates")
        }
        try NameRules.checkRecord(item.name)
        let root = item.operation.record.share?.root
        guard (item.name == ShareType.zoneShareName) == (root == nil) else {
            throw .badRequest(
                root == nil
                    ? "forRecord is required: it names the record to share; the share of a whole zone is named \(ShareType.zoneShareName)"
                    : "\(ShareType.zoneShareName) is the share of a whole zone, which has no forRecord")
        }
        guard root != item.name else { throw .badRequest("a share cannot share itself") }
    }

    /// The items of a unit that save or delete share records.
    private func shareItems(of unit: Int) -> [Int] {
        units[unit].items.filter { index in
            switch states[index] {
            case .saved(let draft): draft.flags.contains(.share)
            case .deleted(let stub): stub.flags.contains(.share)
            case .alreadyGone, .refused: false
            }
        }
    }

    /// The roots of the shares that a unit creates, with the marks of these.
    func newRoots(of unit: Int) -> [Name: ShareNumber] {
        var roots: [Name: ShareNumber] = [:]
        for (item, edit) in shares[unit].edits where edit.old == nil && states[item].refusal == nil {
            if let root = edit.list.root { roots[root] = edit.row.mark }
        }
        return roots
    }

    // MARK: Needs

    /// Finds what is stored of the shares that are created, changed or ended, and refuses what cannot be.
    ///
    /// - Returns: What must be read for that; nil if it was.
    mutating func learnShareRecords() -> ReadSet? {
        let concerned = units.indices.filter {
            zone($0) != nil && (!shareItems(of: $0).isEmpty || !conflictingShares(of: $0).isEmpty)
        }
        var scans = ReadSet()
        for unit in concerned {
            guard let zone = zone(unit) else { continue }
            let all = ShareRow.of(zone.number, in: zone.database, limit: context.limits.sharesMax + 1)
            guard let rows = reading.rows(of: all) else {
                scans.ask(all)
                continue
            }
            shares[unit].add(rows)
            for number in storedShares(of: unit) {
                let people = peopleOf(number, in: zone.database)
                if reading.rows(of: people) == nil { scans.ask(people) }
            }
        }
        guard scans.scans.isEmpty else { return scans }

        var records = ReadSet()
        var units: [Int] = []
        for unit in concerned {
            for name in rootsToRead(of: unit) {
                records.records.append(RecordKey(zone: self.units[unit].address.key, name: name))
                units.append(unit)
            }
        }
        recordsOfShares = records.records.count
        let found = reading.records.dropFirst(recordsBeforeShares).prefix(recordsOfShares)
        guard found.count == recordsOfShares else { return records }
        for ((unit, key), found) in zip(zip(units, records.records), found) {
            switch found {
            case .record(let row):
                if context.catalog.type(row.type) != nil { shares[unit].roots[row.name] = row }
            case .beyondLimit: shares[unit].unreadRoots.insert(key.name)
            case .absent, .outside: break
            }
        }
        for unit in concerned { edit(unit) }
        if let more = learnIncluded(concerned) { return more }
        for unit in concerned { failAtomically(unit) }
        return nil
    }

    /// The items of a unit that were to change share records of which there is another version.
    private func conflictingShares(of unit: Int) -> [Int] {
        units[unit].items.filter { index in
            guard case .refused(.conflict(let server?)) = states[index] else { return false }
            return server.record.row.flags.contains(.share)
        }
    }

    /// A record that a refusal is to include.
    private struct Included {
        var unit, item: Int
        var name: Name
    }

    /// Adds to refusals what an app needs to go on: to those of new shares the shares that their records are in already, and to conflicts
    /// of shares the shared records.
    ///
    /// - Returns: What must be read for that; nil if it was.
    private mutating func learnIncluded(_ concerned: [Int]) -> ReadSet? {
        var all: [Included] = []
        for unit in concerned {
            for index in units[unit].items {
                if case .refused(.alreadyShared) = states[index], let name = existingShare(index, in: unit) {
                    all.append(Included(unit: unit, item: index, name: name))
                }
            }
            for index in conflictingShares(of: unit) {
                if case .refused(.conflict(let server?)) = states[index],
                    let row = number(server.record.row.share, in: unit).flatMap({ shares[unit].rows[$0] }),
                    !row.isOfZone
                {
                    all.append(Included(unit: unit, item: index, name: row.rootName))
                }
            }
        }
        guard !all.isEmpty else { return nil }
        let found = reading.records.dropFirst(recordsBeforeShared).prefix(all.count)
        guard found.count == all.count else {
            var set = ReadSet()
            set.records = all.map { RecordKey(zone: units[$0.unit].address.key, name: $0.name) }
            return set
        }
        recordsOfShares += all.count
        for (included, found) in zip(all, found) {
            guard case .record(let row) = found, let type = context.catalog.type(row.type) else { continue }
            let address = units[included.unit].address
            let record = StoredRecord(row: row, type: type, in: address, context)
            switch states[included.item] {
            case .refused(.alreadyShared(let words, _)):
                states[included.item] = .refused(
                    .alreadyShared(words, ServerRecord(record: record, zone: address.identity)))
            case .refused(.conflict(var server?)):
                server.root = [record]
                states[included.item] = .refused(.conflict(server))
            default: break
            }
        }
        return nil
    }

    /// The name of the share record of the share that the record to share is in already.
    private func existingShare(_ item: Int, in unit: Int) -> Name? {
        guard let root = items[item].operation.record.share?.root else { return nil }
        var old = shares[unit].roots[root]
        for index in units[unit].items where items[index].name == root {
            if case .saved(let draft) = states[index] { old = draft.old }
        }
        return shares[unit].live(old?.share).flatMap { shares[unit].rows[$0.magnitudeOfShare]?.name }
    }

    private func peopleOf(_ share: ShareNumber, in database: DatabaseNumber) -> Scan<ParticipantRow> {
        // Those who were removed are still there until they were notified.
        ParticipantRow.of(share, in: database, limit: 100_000)
    }

    /// The number of the share of a stored share record.
    private func number(_ mark: ShareNumber?, in unit: Int) -> ShareNumber? {
        if let mark { return mark.magnitudeOfShare }
        if case .zone(let share)? = zone(unit)?.sharing { return share }
        return nil
    }

    /// The shares whose records a unit changes or deletes.
    private func storedShares(of unit: Int) -> [ShareNumber] {
        shareItems(of: unit).compactMap { index in
            switch states[index] {
            case .saved(let draft): draft.old.flatMap { number($0.share, in: unit) }
            case .deleted(let stub): number(stub.share, in: unit)
            case .alreadyGone, .refused: nil
            }
        }
    }

    /// The names of stored records that become roots and are not among the unit's items, or that cease to be roots, also if an item saves
    /// them: it may fail.
    private func rootsToRead(of unit: Int) -> [Name] {
        let members = Set(units[unit].items.map { items[$0].name })
        var (names, ending): (Set<Name>, Set<Name>) = ([], [])
        for index in shareItems(of: unit) {
            switch states[index] {
            case .saved(let draft) where draft.old == nil:
                if let root = items[index].operation.record.share?.root { names.insert(root.owned) }
            case .deleted(let stub):
                if let row = number(stub.share, in: unit).flatMap({ shares[unit].rows[$0] }), !row.isOfZone {
                    ending.insert(row.rootName)
                }
            case .saved, .alreadyGone, .refused: break
            }
        }
        return names.subtracting(members).union(ending).sorted()
    }

    // MARK: Edits

    private mutating func edit(_ unit: Int) {
        let head = heads.first { $0.database == units[unit].address.database }
        for index in shareItems(of: unit) {
            // No share had this number, and none will have it: the request advances the sequence by at least as much.
            let next = (head?.sequence ?? 0) + Int64(shares.reduce(1) { $0 + $1.edits.count })
            do throws(Refusal) {
                switch states[index] {
                case .saved(let draft) where draft.old == nil:
                    shares[unit].edits[index] = try created(draft, index, number: next, in: unit)
                case .saved(let draft): shares[unit].edits[index] = try changed(draft, index, in: unit)
                case .deleted(let stub): shares[unit].edits[index] = try ended(stub, in: unit)
                case .alreadyGone, .refused: break
                }
            } catch {
                states[index] = .refused(error)
            }
        }
    }

    private func created(
        _ draft: RecordDraft, _ item: Int, number: ShareNumber, in unit: Int
    ) throws(Refusal) -> ShareEdit {
        guard let zone = zone(unit) else { throw .zoneNotFound(units[unit].address.zone) }
        let input = items[item].operation.record.share
        guard zone.sharing != .recordsInPreparation else {
            throw .zoneBusy("another share of this zone is being prepared: try again in a moment", seconds: 1)
        }
        guard shares[unit].rows.count + newRoots(of: unit).count < context.limits.sharesMax else {
            throw .limitExceeded("a zone can have at most \(context.limits.sharesMax) shares: share the zone instead")
        }
        var row = ShareRow(
            database: zone.database, number: number, zone: zone.number, root: 0, name: draft.name)
        if let root = input?.root {
            let isOfZone = shares[unit].edits.values.contains { $0.old == nil && $0.list.root == nil }
            if isOfZone || zone.sharing.share != nil {
                throw .serverRejected("all of this zone is shared, so that none of its records can be shared by itself")
            }
            row.rootName = root.owned
            row.root = try self.root(root, input?.rootChangeTag, in: unit)
        } else {
            guard zone.sharing == .nothing, newRoots(of: unit).isEmpty else {
                throw .badRequest("records of this zone are shared: end their shares before the zone is shared")
            }
        }
        var list = ShareList(root: input?.root?.owned, rootNumber: row.root)
        try change(&list, input, of: row, in: unit)
        row.publicPermission = list.publicPermission
        return ShareEdit(row: row, list: list, people: [])
    }

    /// Checks the record to share. - Returns: Its number; 0 for a new one.
    private func root(_ name: Name, _ tag: Name?, in unit: Int) throws(Refusal) -> RecordNumber {
        let missing = Refusal.badRequest(
            "the record to share, \(name.excerpt), does not exist in this zone: save it before, or in the same request")
        guard !shares[unit].unreadRoots.contains(name) else { throw answerIsFull }
        var old = shares[unit].roots[name]
        if let item = units[unit].items.first(where: { items[$0].name == name }) {
            if case .refused = states[item] {
                throw .badRequest("the record to share, \(name.excerpt), was refused: see its own error")
            }
            guard case .saved(let draft) = states[item] else { throw missing }
            old = draft.old
            if old == nil { return 0 }
        }
        guard let old else { throw missing }
        guard !old.flags.contains(.share) else { throw .badRequest("a share cannot be shared") }
        if shares[unit].live(old.share) != nil {
            throw .alreadyShared(
                old.flags.contains(.shareRoot)
                    ? "this record is shared already: change the share that it has"
                    : "a record above this one is shared, and this one with it")
        }
        if let tag, ChangeTag.sequence(of: tag) != old.tagSequence {
            let type = context.catalog.type(old.type)
            throw .conflict(
                type.map {
                    ServerRecord(
                        record: StoredRecord(row: old, type: $0, in: units[unit].address, context),
                        zone: units[unit].address.identity)
                })
        }
        guard newRoots(of: unit)[name] == nil else {
            throw .alreadyShared("the request shares this record twice: one share is enough")
        }
        return old.number
    }

    private func changed(_ draft: RecordDraft, _ item: Int, in unit: Int) throws(Refusal) -> ShareEdit? {
        guard let old = draft.old, let number = number(old.share, in: unit), let row = shares[unit].rows[number],
            var list = ShareList(of: old.fields)
        else { throw .failed }
        let before = list
        try change(&list, items[item].operation.record.share, of: row, in: unit)
        if units[unit].address.reach != nil { try checkAdministrator(list, before) }
        var new = row
        new.publicPermission = list.publicPermission
        if row.publicPermission != .none, new.publicPermission == .none { new.epoch += 1 }
        return ShareEdit(old: row, row: new, list: list, people: reading[peopleOf(number, in: row.database)])
    }

    private func ended(_ stub: RecordStub, in unit: Int) throws(Refusal) -> ShareEdit? {
        guard let number = number(stub.share, in: unit), let row = shares[unit].rows[number] else { return nil }
        guard !shares[unit].unreadRoots.contains(row.rootName) else { throw answerIsFull }
        return ShareEdit(
            old: row, row: row, list: ShareList(root: row.isOfZone ? nil : row.rootName, rootNumber: row.root),
            people: reading[peopleOf(number, in: row.database)], ends: true)
    }

    /// Applies what a request says of participants and permissions.
    private func change(
        _ list: inout ShareList, _ input: ShareInput?, of share: ShareRow, in unit: Int
    ) throws(Refusal) {
        let (wasPublic, named) = (list.publicPermission != .none, Set(list.participants.map(\.id)))
        if let word = input?.publicPermission {
            guard let permission = ShareRow.PublicPermission(word: word) else {
                throw .badRequest("publicPermission must be NONE, READ_ONLY or READ_WRITE")
            }
            list.publicPermission = permission
        }
        if let participants = input?.participants {
            list.participants = try ParticipantInputs(
                share, list, owner: units[unit].address.owner ?? context.caller.user, key: context.signingKey,
                limits: context.limits
            ).list(participants)
        }
        guard list.publicPermission != .none else { return }
        if list.participants.contains(where: { !$0.hasAccepted && (wasPublic || !named.contains($0.id)) }) {
            throw .badRequest(
                "whoever has the address may join a public share: set publicPermission to NONE to name participants")
        }
        // Those who have not joined yet can do so without being named.
        list.participants.removeAll { !$0.hasAccepted }
    }

    /// An administrator adds, changes and removes participants, and gives nobody more than they may do themselves. Who else is an
    /// administrator, what they may do themselves, and whether the share is public is for the owner to say.
    private func checkAdministrator(_ list: ShareList, _ before: ShareList) throws(Refusal) {
        guard list.publicPermission == before.publicPermission else {
            throw .accessDenied("only the owner of a share makes it public, or ends that")
        }
        let own = context.caller.user
        func administrators(_ list: ShareList) -> [ShareList.Participant] {
            list.participants.filter { $0.role == .administrator || $0.user == own && own != nil }
                .sorted { $0.id < $1.id }
        }
        guard administrators(list) == administrators(before) else {
            throw .accessDenied(
                "only the owner of a share names administrators, and changes or removes them; to leave it, delete it by itself"
            )
        }
        func writers(_ list: ShareList) -> Set<String> {
            Set(list.participants.filter { $0.permission == .readWrite }.map(\.id))
        }
        let isReader = before.participants.first { $0.user == own }?.permission != .readWrite
        guard !isReader || writers(list).isSubset(of: writers(before)) else {
            throw .accessDenied("an administrator who may only read lets nobody write: its owner can")
        }
    }

    // MARK: Roots that are deleted

    /// Finds the shares that end because their roots are deleted. - Returns: What must be read for that; nil if it was.
    mutating func learnEndedRoots() -> ReadSet? {
        var scans = ReadSet()
        for unit in units.indices {
            for stub in goingRoots(of: unit) {
                guard let number = stub.share?.magnitudeOfShare else { continue }
                // All of the zone, so that it is known whether any is left.
                let all = ShareRow.of(stub.zone, in: stub.database, limit: context.limits.sharesMax + 1)
                if let rows = reading.rows(of: all) { shares[unit].add(rows) } else { scans.ask(all) }
                let people = peopleOf(number, in: stub.database)
                if reading.rows(of: people) == nil { scans.ask(people) }
            }
        }
        guard scans.scans.isEmpty else { return scans }

        var records = ReadSet()
        var ending: [(unit: Int, root: RecordStub, row: ShareRow)] = []
        for unit in units.indices {
            for stub in goingRoots(of: unit) {
                guard let mark = shares[unit].live(stub.share), let row = shares[unit].rows[mark.magnitudeOfShare],
                    row.root == stub.number
                else { continue }
                ending.append((unit, stub, row))
                records.records.append(RecordKey(zone: units[unit].address.key, name: row.name))
            }
        }
        guard !ending.isEmpty else { return nil }
        let before = recordsBeforeShared
        recordsOfShares += ending.count
        let found = reading.records.dropFirst(before).prefix(ending.count)
        guard found.count == ending.count else { return records }
        for (end, found) in zip(ending, found) {
            var record: RecordStub?
            if case .record(let row) = found, row.name == end.row.name { record = RecordStub(row) }
            shares[end.unit].ended[end.root.number] = EndedShare(
                row: end.row, people: reading[peopleOf(end.row.number, in: end.row.database)], record: record)
        }
        return nil
    }

    /// Stored roots that the unit deletes, or may delete along.
    private func goingRoots(of unit: Int) -> [RecordStub] {
        guard zone(unit)?.sharing == .records || zone(unit)?.sharing == .recordsInPreparation else { return [] }
        return (roots(of: unit).map(\.stub) + references[unit].edges.values.joined() + replaced(in: unit))
            .filter { $0.flags.contains(.shareRoot) }.sorted { $0.number < $1.number }
    }

    /// Records of removed types whose names new records get.
    private func replaced(in unit: Int) -> [RecordStub] {
        units[unit].items.compactMap { index in
            if case .saved(let draft) = states[index] { draft.hidden } else { nil }
        }
    }

    /// The shares whose roots are really deleted.
    func endedShares(of unit: Int, _ outcome: UnitOutcome?) -> [EndedShare] {
        guard !shares[unit].ended.isEmpty else { return [] }
        let gone = Set(
            (roots(of: unit).map(\.stub) + (outcome?.cascadedInOrder ?? []) + replaced(in: unit)).map(\.number))
        return shares[unit].ended.filter { gone.contains($0.key) }.sorted { $0.key < $1.key }.map(\.value)
    }

    // MARK: Refusals

    /// Whether an item of the unit saves a record.
    func isSaved(_ name: Name, in unit: Int) -> Bool {
        units[unit].items.contains { index in
            if case .saved = states[index] { items[index].name == name } else { false }
        }
    }

    /// Whether a name is that of a share record, stored or saved by the unit.
    func isShare(_ name: Name, in unit: Int) -> Bool {
        if references[unit].targets[name]?.flags.contains(.share) == true { return true }
        return !shares[unit].edits.isEmpty && shares[unit].edits.keys.contains { items[$0].name == name }
    }

    /// Refuses shares of which the root is not saved after all, and changes of those that end with their roots.
    ///
    /// - Returns: Whether anything was refused.
    mutating func refuseSharesOfFailedRoots(_ unit: Int, _ outcome: UnitOutcome) -> Bool {
        guard !shares[unit].edits.isEmpty else { return false }
        var failed = false
        let ending = Set(endedShares(of: unit, outcome).map(\.row.number))
        for (item, edit) in shares[unit].edits where !edit.ends && states[item].refusal == nil {
            let isGone = edit.old == nil && edit.list.root.map(outcome.isGone) == true
            if isGone || edit.old != nil && ending.contains(edit.row.number) {
                states[item] = .refused(.badRequest("the request deletes the shared record, and the share with it"))
                failed = true
                continue
            }
            guard edit.old == nil, let root = edit.list.root else { continue }
            let isItem = units[unit].items.contains { items[$0].name == root }
            guard isItem || shares[unit].roots[root] == nil, !isSaved(root, in: unit) else { continue }
            states[item] = .refused(.badRequest("the record to share was not saved: correct that first"))
            failed = true
        }
        return failed
    }
}
