public import CloudKitWire
public import NephosStorage

/// A feature's rule for the processing of records of some types: it may refuse changes, and writes its own rows in the transaction
/// that creates, changes or removes a record, whatever does that (docs/decisions/0027). A value without state; decisions call it more
/// than once.
public protocol RecordRule: Sendable {
    /// Whether it applies to changes of records of a type, which may be new: everything below except ``check(_:in:)`` and
    /// ``held(_:in:)``.
    func concerns(_ type: Name, in catalog: Catalog) -> Bool
    /// Whether it needs the fields of a record from before it is changed or deleted: they are read then.
    var readsFields: Bool { get }
    /// Whether it reads, refuses, or changes other records: it is then called with the possible changes of a request, before anything is
    /// done. A rule that only follows (``follow(_:_:_:)``) costs less, and sees the actual changes.
    var needsPossibleChanges: Bool { get }
    /// Whether it changes other records along with records of some of these types: ``companions(_:)``.
    var changesOthers: Bool { get }
    /// Records of the public database's default zone that it must see, and may change along, by name. Called again with those that
    /// were found (``RecordChanges/companions``), until it names no more.
    func companions(_ changes: RecordChanges) -> [Name]
    /// The changes of companions along with actual changes. They are made by the server, regardless of grants; all rules apply to them,
    /// but none makes further changes because of them.
    func companionChanges(_ changes: RecordChanges) -> [CompanionChange]
    /// What it must read besides the records: rows of described tables, depending only on ``RecordChanges/asked``.
    func reading(_ changes: RecordChanges) -> RequestedRows
    /// Why requested changes are refused, by their index: saves, deletions, and restorations from the trash. Changes that follow
    /// from others, and those of the server itself, are never refused.
    func refusals(_ changes: RecordChanges, _ reading: FoundRows) -> [Int: Refusal]
    /// Returns a check of a record's own content for saves and restorations of a type; nil if there is nothing to check. Called once
    /// per catalog, regardless of ``concerns(_:in:)``.
    func check(_ type: Name, in catalog: Catalog) -> RecordCheck?
    /// Fields whose references must have a target in the zone when they are saved.
    func held(_ type: Name, in catalog: Catalog) -> [HeldField]
    /// Adds its own rows for actual changes.
    func follow(_ changes: RecordChanges, _ reading: FoundRows, _ rows: inout RuleWrites)
    /// Final removal of records of deleted zones, in batches, in the transaction of the call; only its annex is written.
    ///
    /// - Returns: Whether there was room in the annex. If not, nothing is removed until the next pass: the feature makes room
    ///   meanwhile.
    func swept(_ records: SweptRecords, annex: inout HeadAnnex) -> Bool
}

extension RecordRule {
    public var readsFields: Bool { false }
    public var needsPossibleChanges: Bool { true }
    public var changesOthers: Bool { false }
    public func companions(_ changes: RecordChanges) -> [Name] { [] }
    public func companionChanges(_ changes: RecordChanges) -> [CompanionChange] { [] }
    public func reading(_ changes: RecordChanges) -> RequestedRows { RequestedRows() }
    public func refusals(_ changes: RecordChanges, _ reading: FoundRows) -> [Int: Refusal] { [:] }
    public func follow(_ changes: RecordChanges, _ reading: FoundRows, _ rows: inout RuleWrites) {}
    public func swept(_ records: SweptRecords, annex: inout HeadAnnex) -> Bool { true }
    public func check(_ type: Name, in catalog: Catalog) -> RecordCheck? { nil }
    public func held(_ type: Name, in catalog: Catalog) -> [HeldField] { [] }
}

/// Returns why the fields of a record are refused; nil if they are not.
public typealias RecordCheck = @Sendable (_ fields: Bytes) -> Refusal?

/// A record that a decision creates, changes or removes. A class: it has up to three rows, and is passed around often.
public final class RecordChange: Sendable {
    /// What causes the change.
    public enum Cause: Sendable {
        /// A request: a save or a deletion that may be refused.
        case asked
        /// It is deleted along with a record that it references, immediately or later.
        case cascade
        /// It is restored from the trash.
        case restoration
        /// All records of an environment are deleted, and user records are created again.
        case reset
        /// The server creates or changes its own record, or that of a user.
        case server
        /// It is replaced: its type was removed, and another record takes its name.
        case replaced
    }

    public let cause: Cause
    /// The name of its type.
    public let type: Name
    public let name: Name
    /// The previous state; nil for a new record.
    public let old: RecordStub?
    /// With its previous content, if that was read.
    public let oldRow: RecordRow?
    /// The new state; nil for a deletion. Without its sequence and numbers until the change is certain.
    public let new: RecordRow?
    /// The record that it is restored from.
    public let former: FormerRecord?

    init(
        cause: Cause, type: Name, name: Name, old: RecordStub?, oldRow: RecordRow?, new: RecordRow?,
        former: FormerRecord? = nil
    ) {
        (self.cause, self.type, self.name, self.former) = (cause, type, name, former)
        (self.old, self.oldRow, self.new) = (old, oldRow, new)
    }
}

/// The changes of records in one database to which a rule applies: in order, each once.
public struct RecordChanges: Sendable {
    /// The database before the changes.
    public let head: HeadRow
    /// The time of the changes.
    public let now: Milliseconds
    /// All possible changes, on which reads depend. Refusals may have reduced them. A record may occur twice: as saved, and as deleted if that is
    /// refused.
    public internal(set) var asked: [RecordChange]
    /// The actual changes, as far as is known.
    public internal(set) var all: [RecordChange]
    /// The catalog by which they are judged.
    public let catalog: Catalog
    /// Whether the caller sees every record of a type, so that a refusal may name one.
    public internal(set) var showsAll: @Sendable (_ type: Name) -> Bool = { _ in false }
    /// The author, for people (``RequestContext/changer``); empty for the server itself. Known once the changes are certain.
    public internal(set) var author = ""
    /// Existing records that rules asked for. None of them is among the requested changes.
    public internal(set) var companions: [Name: RecordRow] = [:]
    /// Shared within the decision.
    var memory = RuleCache()
    /// Whether all possible changes are actual ones, so that results computed from ``asked`` hold: ``all`` is a part of it.
    public var isWhole: Bool { all.count == asked.count }

    /// A value that a rule computes from ``asked``, cached for the decision.
    ///
    /// - Parameter work: Returns the same result each time.
    public func once<Value: AnyObject & Sendable>(_ work: () -> Value) -> Value { memory.value(work) }
}

/// A field whose references must have a target in the zone when they are saved.
public struct HeldField: Sendable {
    public let field: Name
    /// The reason for refusing a reference without a target.
    public let reason: String
    /// Whether a record with this content is subject to the check.
    public let concerns: @Sendable (Bytes) -> Bool

    public init(_ field: Name, reason: String, concerns: @escaping @Sendable (Bytes) -> Bool) {
        (self.field, self.reason, self.concerns) = (field, reason, concerns)
    }
}

/// New values for fields of a companion.
public struct CompanionChange: Sendable {
    public let name: Name
    /// Of fields that its type has.
    public let patch: FieldsPatch

    public init(_ name: Name, _ patch: FieldsPatch) { (self.name, self.patch) = (name, patch) }
}

/// Records that the server removes because their zone was deleted, as far as a rule applies to them. Those of removed types are
/// not included.
public struct SweptRecords: Sendable {
    /// The database, before the removal.
    public let head: HeadRow
    /// The time of the removal.
    public let now: Milliseconds
    /// Their number, by the name of their type.
    public let counts: [Name: Int64]
}

/// What a rule writes: rows of the described tables of its feature, the feature's annex in the head of the database, and work to do
/// later.
public struct RuleWrites: Sendable {
    var changes = WriteSet()
    private(set) var annex: HeadAnnex

    init(_ annex: HeadAnnex) { self.annex = annex }

    /// Adds a row.
    public mutating func put(_ row: some StoredRow) { changes.put(row) }

    /// Adds a row, or replaces the one with its key. - Parameter old: As it was read; nil for a new row.
    public mutating func put<Row: StoredRow>(_ row: Row, replacing old: Row?) { changes.put(row, replacing: old) }

    /// Requests background work in the tenant, at this time at the latest. - Parameter job: Its name.
    public mutating func ask(for job: String, at time: Milliseconds) { changes.ask(for: job, at: time) }

    /// Removes a row. - Parameter row: As it was read.
    public mutating func remove(_ row: some StoredRow) { changes.remove(row) }

    /// The feature's annex in the head of the database, including values set before.
    public func annex(of feature: String) -> [UInt8] { annex[feature] }

    /// Sets the feature's annex in the head.
    ///
    /// - Returns: false, without a change, for more than ``HeadAnnex/bytesMax``: the rule writes rows then.
    public mutating func setAnnex(_ bytes: [UInt8], of feature: String) -> Bool { annex.set(bytes, of: feature) }
}
