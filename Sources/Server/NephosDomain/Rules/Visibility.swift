import CloudKitWire
import NephosQueries
public import NephosStorage

/// What a feature hides of records of some types, beside what grants say (docs/decisions/0027).
public protocol VisibilityRule: Sendable {
    /// When records of a type are shown to who may not write them; nil where this rule has no say.
    ///
    /// - Throws: Where its section cannot be read (``NephosStorage/Catalog/value(of:)``): nobody else sees records of the type then.
    func hours(of type: RecordType, in catalog: Catalog) throws(SectionFailure) -> RecordHours?
}

extension [any VisibilityRule] {
    /// All hours in which records of a type must be, to be shown.
    func hours(of type: RecordType, in catalog: Catalog) -> [RecordHours] {
        compactMap { rule in
            do throws(SectionFailure) { return try rule.hours(of: type, in: catalog) } catch { return .never }
        }
    }
}

/// What somebody sees of the records of one type, and may do with them, at one moment. Whatever shows a record or makes use of one
/// asks this, and nothing else.
package struct Visibility {
    let rights: Rights
    private let hours: [RecordHours]
    private let now: Milliseconds
    /// What is proved of the caller, as records ask for it; empty where none does.
    private var proofs: Set<Bytes>

    /// - Parameter roles: Numbers of the caller's own roles, from the snapshot that the answer comes from. What is asked for with
    ///   ``RequestContext/memberships(for:)``.
    package init(_ context: RequestContext, type: RecordType, roles: [Int64]) {
        self.init(Rights(context, type: type, roles: roles), context, type, roles)
    }

    /// Of a type that exists only once this request has made it.
    init(_ context: RequestContext, ofNewTypeWith grants: [Int64: GrantRow.Rights], roles: [Int64]) {
        self.init(Rights(context, ofNewTypeWith: grants, roles: roles), context, nil, roles)
    }

    /// Of a type by its name, which this very request may make.
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

    /// Whether the caller sees a record of which it is not known what it holds. One that may be hidden counts as hidden.
    func shows(_ stub: RecordStub) -> Bool {
        rights.mayRead(createdBy: stub.createdBy) && (hours.isEmpty || rights.mayWrite(createdBy: stub.createdBy))
    }

    /// The same of somebody of whom nothing is proved.
    var withoutProofs: Visibility {
        var other = self
        other.proofs = []
        return other
    }

    /// Whether records may be hidden from the caller by what they hold, so that stubs do not tell.
    var looksAtFields: Bool { !hours.isEmpty }

    /// Whether a record that grants would show is hidden for a while: it is answered as if it were not there.
    func hides(_ record: RecordRow) -> Bool { rights.mayRead(createdBy: record.createdBy) && !shows(record) }

    /// Until when it stays as it is whether the caller sees a record; nil for as long as nobody saves anything.
    func end(for record: RecordRow) -> Milliseconds? {
        rights.mayWrite(createdBy: record.createdBy) ? nil : hours.nextEdge(of: record, after: now)
    }

    private func isOpen(_ record: RecordRow) -> Bool { hours.areOpen(record, at: now, to: proofs) }

    /// Whether a record that appeared or ended did so to the caller.
    package func noticesEdges(of record: RecordRow) -> Bool {
        rights.mayRead(createdBy: record.createdBy) && !rights.mayWrite(createdBy: record.createdBy)
            && hours.map(\.ofAccess).areOpen(record, at: now, to: proofs)
    }

    /// Whether the caller saw a change of a record that was in its time when it was made, by what they may and can prove now.
    package func noticesChanges(of record: RecordRow) -> Bool {
        guard rights.mayRead(createdBy: record.createdBy) else { return false }
        return hours.isEmpty || rights.mayWrite(createdBy: record.createdBy)
            || hours.map(\.ofAccess).areOpen(record, at: now, to: proofs)
    }

    /// Whether the caller sees a record while it is hidden.
    package func showsHidden(_ record: RecordRow) -> Bool {
        rights.mayRead(createdBy: record.createdBy) && rights.mayWrite(createdBy: record.createdBy)
    }

    /// Which records of the type a query shows.
    enum Extent: Hashable { case all, createdBy(UserID), none }

    var extent: Extent { rights.extent }

    /// Whether the caller sees no record of the type, whatever there is.
    package var seesNothing: Bool { extent == .none }

    /// Whether the caller sees every record of the type.
    var showsAll: Bool { extent == .all && (hours.isEmpty || rights.mayWriteAll) }

    /// What must hold of what a query shows, beside its own conditions.
    var conditions: [QueryCondition] {
        var conditions: [QueryCondition] = []
        if case .createdBy(let user) = extent { conditions.append(QueryCondition(.createdBy, .isAny([.user(user)]))) }
        guard !hours.isEmpty, !rights.mayWriteAll else { return conditions }
        let own = rights.mayWriteOwn ? rights.user : nil
        return conditions + hours.map { .isOpen($0, at: now, proofs: proofs, unlessMadeBy: own) }
    }
}

extension RequestContext {
    /// When records of a type are shown. A private database is its owner's.
    func hours(of type: RecordType) -> [RecordHours] { scope == .public ? catalog.rules.hours(of: type) : [] }
}

extension RequestContext {
    /// Words for what is proved of the caller: `signedIn`, `role:NAME` and `fact:NAME`.
    ///
    /// - Parameter roles: Numbers of the caller's own roles.
    package func proofWords(_ roles: [Int64]) -> [String] {
        let facts = facts.map { "fact:\($0)" }
        guard let user = caller.user, user != .server else { return facts }
        return ["signedIn"] + catalog.roles.values.filter { roles.contains($0.number) }.map { "role:\($0.name)" }
            + facts
    }

    fileprivate func proofs(_ roles: [Int64]) -> Set<Bytes> { Set(proofWords(roles).map { Bytes($0.utf8) }) }
}

extension [RecordHours] {
    /// Whether any record may ask for proofs.
    var askForProofs: Bool { contains { $0.access != nil } }

    /// The facts of which a record asks for one, by their names.
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

    /// Whether it is a record's time, whoever looks.
    func areOpen(_ record: RecordRow, at time: Milliseconds) -> Bool {
        allSatisfy { QueryCondition.isOpen($0.ofTime, at: time).matches(record) }
    }

    /// Whether a record is shown at a moment to whom that much is proved of.
    fileprivate func areOpen(_ record: RecordRow, at time: Milliseconds, to proofs: Set<Bytes>) -> Bool {
        allSatisfy { hours in
            hours.isOpen(record, at: time) ?? QueryCondition.isOpen(hours, at: time, proofs: proofs).matches(record)
        }
    }

    /// The next moment at which a record appears or ends; nil where there is none.
    func nextEdge(of record: RecordRow, after now: Milliseconds) -> Milliseconds? {
        compactMap { $0.nextEdge(of: record, after: now) }.min()
    }
}

extension RecordHours {
    /// What ``QueryCondition/isOpen(_:at:proofs:unlessMadeBy:)`` says of one record, without a condition that is made ready for many; nil where
    /// it is about more than two moments.
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
        // Hours that come again matter between the two.
        let first = Swift.max(now, start ?? now)
        guard let every, let text = every.text(in: record), self.start == nil || start != nil,
            let edge = RecurringHours.nextEdge(text, after: first)
        else { return next }
        if end.map({ edge < $0 }) ?? true { next = Swift.min(next ?? edge, edge) }
        return next
    }
}

extension RecordField {
    /// The value of a STRING; nil where there is none.
    fileprivate func text(in record: RecordRow) -> Bytes? {
        let values = RecordValues(record, FieldSelection([self]))
        guard case .one(.bytes(let text)) = values[0] else { return nil }
        return text
    }

    /// The value of a TIMESTAMP; nil where there is none.
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
