import CloudKitWire
import NephosQueries
public import NephosStorage

/// A feature's rule for hiding records of some types, in addition to grants (docs/decisions/0027).
public protocol VisibilityRule: Sendable {
    /// When records of a type are shown to callers that may not write them; nil if this rule does not apply.
    ///
    /// - Throws: If its section cannot be parsed (``NephosStorage/Catalog/value(of:)``): then nobody else sees records of the type.
    func hours(of type: RecordType, in catalog: Catalog) throws(SectionFailure) -> RecordHours?
}

extension [any VisibilityRule] {
    /// All hours of a type; records must be within all of them to be shown.
    func hours(of type: RecordType, in catalog: Catalog) -> [RecordHours] {
        compactMap { rule in
            do throws(SectionFailure) { return try rule.hours(of: type, in: catalog) } catch { return .never }
        }
    }
}

/// What a caller sees of the records of one type, and may do with them, at one time. All code that shows or uses a record goes
/// through this.
package struct Visibility {
    let rights: Rights
    private let hours: [RecordHours]
    private let now: Milliseconds
    /// The proofs about the caller, as records require them; empty if none does.
    private var proofs: Set<Bytes>

    /// - Parameter roles: The numbers of the caller's own roles, from the snapshot of the answer, as requested with
    ///   ``RequestContext/memberships(for:)``.
    package init(_ context: RequestContext, type: RecordType, roles: [Int64]) {
        self.init(Rights(context, type: type, roles: roles), context, type, roles)
    }

    /// For a type that this request creates.
    init(_ context: RequestContext, ofNewTypeWith grants: [Int64: GrantRow.Rights], roles: [Int64]) {
        self.init(Rights(context, ofNewTypeWith: grants, roles: roles), context, nil, roles)
    }

    /// For a type by its name, which this very request may create.
    init(_ context: RequestContext, _ type: Name, roles: [Int64]) {
        guard let known = context.catalog.types[type] else {
            self.init(context, ofNewTypeWith: RecordType.justInTimeGrants, roles: roles)
            return
        }
        self.init(context, type: known, roles: roles)
    }

    private init(_ rights: Rights, _ context: RequestContext, _ type: RecordType?, _ roles: [Int64]) {
        self.rights = rights
        now = context.now
        let hours = type.map(context.hours) ?? []
        self.hours = hours
        proofs = hours.askForProofs ? context.proofs(roles) : []
    }

    /// Whether the caller sees a record.
    package func shows(_ record: RecordRow) -> Bool {
        guard rights.mayRead(createdBy: record.createdBy) else { return false }
        return hours.isEmpty || rights.mayWrite(createdBy: record.createdBy) || isOpen(record)
    }

    /// Whether the caller sees a record whose content is not known. One that may be hidden counts as hidden.
    func shows(_ stub: RecordStub) -> Bool {
        rights.mayRead(createdBy: stub.createdBy) && (hours.isEmpty || rights.mayWrite(createdBy: stub.createdBy))
    }

    /// The same for a caller about whom nothing is proved.
    var withoutProofs: Visibility {
        var other = self
        other.proofs = []
        return other
    }

    /// Whether records may be hidden from the caller because of their content, so that stubs are not sufficient.
    var looksAtFields: Bool { !hours.isEmpty }

    /// Whether a record that grants would show is currently hidden: it is treated as missing.
    func hides(_ record: RecordRow) -> Bool { rights.mayRead(createdBy: record.createdBy) && !shows(record) }

    /// Until when the caller's view of a record stays the same; nil for as long as nobody saves anything.
    func end(for record: RecordRow) -> Milliseconds? {
        rights.mayWrite(createdBy: record.createdBy) ? nil : hours.nextEdge(of: record, after: now)
    }

    private func isOpen(_ record: RecordRow) -> Bool { hours.areOpen(record, at: now, to: proofs) }

    /// Whether a record that appeared or ended did so for the caller.
    package func noticesEdges(of record: RecordRow) -> Bool {
        rights.mayRead(createdBy: record.createdBy) && !rights.mayWrite(createdBy: record.createdBy)
            && hours.map(\.ofAccess).areOpen(record, at: now, to: proofs)
    }

    /// Whether the caller saw a change of a record that was visible at the time, judged by the caller's current rights and
    /// proofs.
    package func noticesChanges(of record: RecordRow) -> Bool {
        guard rights.mayRead(createdBy: record.createdBy) else { return false }
        return hours.isEmpty || rights.mayWrite(createdBy: record.createdBy)
            || hours.map(\.ofAccess).areOpen(record, at: now, to: proofs)
    }

    /// Whether the caller sees a record while it is hidden from others.
    package func showsHidden(_ record: RecordRow) -> Bool {
        rights.mayRead(createdBy: record.createdBy) && rights.mayWrite(createdBy: record.createdBy)
    }

    /// Which records of the type a query shows.
    enum Extent: Hashable { case all, createdBy(UserID), none }

    var extent: Extent { rights.extent }

    /// Whether the caller sees no record of the type, whatever exists.
    package var seesNothing: Bool { extent == .none }

    /// Whether grants let the caller read only what they have created.
    package var seesOnlyOwn: Bool { if case .createdBy = extent { true } else { false } }

    /// Whether the caller sees every record of the type.
    package var showsAll: Bool { extent == .all && (hours.isEmpty || rights.mayWriteAll) }

    /// The conditions for what a query shows, in addition to its own.
    var conditions: [QueryCondition] {
        var conditions: [QueryCondition] = []
        if case .createdBy(let user) = extent { conditions.append(QueryCondition(.createdBy, .isAny([.user(user)]))) }
        guard !hours.isEmpty, !rights.mayWriteAll else { return conditions }
        let own = rights.mayWriteOwn ? rights.user : nil
        return conditions + hours.map { .isOpen($0, at: now, proofs: proofs, unlessMadeBy: own) }
    }
}

extension Catalog {
    /// Whether records of a type in the public database may be hidden from those who may not write them.
    package func hidesSome(of type: RecordType) -> Bool { !rules.hours(of: type).isEmpty }
}

extension RequestContext {
    /// When records of a type are shown. A private database belongs to its owner.
    func hours(of type: RecordType) -> [RecordHours] { scope == .public ? catalog.rules.hours(of: type) : [] }
}

extension RequestContext {
    /// Words for what is proved about the caller: `signedIn`, `role:NAME` and `fact:NAME`.
    ///
    /// - Parameter roles: The numbers of the caller's own roles.
    package func proofWords(_ roles: [Int64]) -> [String] {
        let facts = facts.map { "fact:\($0)" }
        guard let user = caller.user, user != .server else { return facts }
        return ["signedIn"] + catalog.roles.values.filter { roles.contains($0.number) }.map { "role:\($0.name)" }
            + facts
    }

    fileprivate func proofs(_ roles: [Int64]) -> Set<Bytes> { Set(proofWords(roles).map { Bytes($0.utf8) }) }
}

extension [RecordHours] {
    /// Whether any record may require proofs.
    var askForProofs: Bool { contains { $0.access != nil } }

    /// The facts of which a record requires one, by name.
    func facts(askedBy record: RecordRow) -> Set<String> {
        var facts: Set<String> = []
        for case let field? in map(\.access) {
            guard case .list(let words) = RecordValues(record, FieldSelection([field]))[0] else { continue }
            for case .bytes(let word) in words where word.starts(with: "fact:".utf8) {
                facts.insert(String(decoding: word.dropFirst(5), as: UTF8.self))
            }
        }
        return facts
    }

    /// Whether a record is within its hours, regardless of the caller.
    func areOpen(_ record: RecordRow, at time: Milliseconds) -> Bool {
        allSatisfy { QueryCondition.isOpen($0.ofTime, at: time).matches(record) }
    }

    /// Whether a record is shown at a time to a caller with these proofs.
    fileprivate func areOpen(_ record: RecordRow, at time: Milliseconds, to proofs: Set<Bytes>) -> Bool {
        allSatisfy { hours in
            hours.isOpen(record, at: time) ?? QueryCondition.isOpen(hours, at: time, proofs: proofs).matches(record)
        }
    }

    /// The next time at which a record appears or ends; nil if there is none.
    func nextEdge(of record: RecordRow, after now: Milliseconds) -> Milliseconds? {
        compactMap { $0.nextEdge(of: record, after: now) }.min()
    }
}

extension RecordHours {
    /// The result of ``QueryCondition/isOpen(_:at:proofs:unlessMadeBy:)`` for one record, without preparing a condition for many; nil if more
    /// than two times are involved.
    fileprivate func isOpen(_ record: RecordRow, at now: Milliseconds) -> Bool? {
        guard every == nil, access == nil, case .field(let first, .timestamp, let firstEpoch)? = start else {
            return nil
        }
        var (begin, over): (Milliseconds?, Milliseconds?)
        if let end {
            guard case .field(let last, .timestamp, let lastEpoch) = end, first != last else { return nil }
            CanonicalFields.read(first < last ? [first, last] : [last, first], in: record.fields) { place, value in
                let isFirst = (place == 0) == (first < last)
                guard record.fieldsEpoch >= (isFirst ? firstEpoch : lastEpoch) else { return }
                if isFirst { begin = value.integer } else { over = value.integer }
            }
        } else {
            begin = start?.time(in: record)
        }
        return begin.map { $0 <= now } ?? false && over.map { now < $0 } ?? true
    }

    fileprivate func nextEdge(of record: RecordRow, after now: Milliseconds) -> Milliseconds? {
        let (start, end) = (start?.time(in: record), end?.time(in: record))
        var next = [start, end].compactMap(\.self).filter { $0 > now }.min()
        // Recurring hours matter between the two.
        let first = Swift.max(now, start ?? now)
        guard let every, let text = every.text(in: record), self.start == nil || start != nil,
            let edge = RecurringHours.nextEdge(text, after: first)
        else { return next }
        if end.map({ edge < $0 }) ?? true { next = Swift.min(next ?? edge, edge) }
        return next
    }
}

extension RecordField {
    /// The value of a STRING; nil if there is none.
    fileprivate func text(in record: RecordRow) -> Bytes? {
        let values = RecordValues(record, FieldSelection([self]))
        guard case .one(.bytes(let text)) = values[0] else { return nil }
        return text
    }

    /// The value of a TIMESTAMP; nil if there is none.
    fileprivate func time(in record: RecordRow) -> Milliseconds? {
        guard case .field(let name, .timestamp, let epoch) = self else {
            let values = RecordValues(record, FieldSelection([self]))
            guard case .one(.integer(let time)) = values[0] else { return nil }
            return time
        }
        guard record.fieldsEpoch >= epoch else { return nil }
        var time: Milliseconds?
        CanonicalFields.read([name], in: record.fields) { _, value in time = value.integer }
        return time
    }
}
