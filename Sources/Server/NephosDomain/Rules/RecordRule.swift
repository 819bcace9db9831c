public import CloudKitWire
public import NephosStorage

/// What a feature adds to the life of records of some types: it may refuse, and writes rows of its own in the transaction that makes,
/// changes or removes a record, whatever does that (docs/decisions/0027). A value without state; decisions call it more than once.
public protocol RecordRule: Sendable {
    /// Whether changes of records of a type, which may be new, are shown to it: all below but ``check(_:in:)`` and ``held(_:in:)``.
    func concerns(_ type: Name, in catalog: Catalog) -> Bool
    /// Whether it looks at what a record held before it changed or went: that is read then.
    var readsFields: Bool { get }
    /// Whether it reads, refuses, or changes others: what may become of a request is shown to it then, before anything does. One that only
    /// follows (``follow(_:_:_:)``) costs less, and sees the changes that are made.
    var judges: Bool { get }
    /// Whether it changes other records along with some of these types: ``companions(_:)``.
    var changesOthers: Bool { get }
    /// Records of the public database's default zone that it must see, and may change along, by name. It is asked again with those
    /// that were found (``RecordChanges/companions``), until it names no other.
    func companions(_ changes: RecordChanges) -> [Name]
    /// What becomes of companions with changes that are made. They are changed by the server, whatever is granted; all rules have a say
    /// about that, but none changes more because of it.
    func along(_ changes: RecordChanges) -> [CompanionChange]
    /// What it must see beside the records: rows of described tables, asked for by ``RecordChanges/asked``; nothing else.
    func reading(_ changes: RecordChanges) -> AskedRows
    /// Why changes that somebody asks for are refused, by their place: saves, deletions, and records that come back from the trash.
    /// Those that follow from others, and what the server does itself, are never refused.
    func refusals(_ changes: RecordChanges, _ reading: FoundRows) -> [Int: Refusal]
    /// Judges by itself what a record of a type is to hold, when somebody saves it or has it come back; nil where there is nothing to
    /// judge. Asked for once for a catalog, and whether or not ``concerns(_:in:)``.
    func check(_ type: Name, in catalog: Catalog) -> RecordCheck?
    /// Fields whose references must lead to a record of the zone when they are saved.
    func held(_ type: Name, in catalog: Catalog) -> [HeldField]
    /// Rows of its own that go with changes which are made.
    func follow(_ changes: RecordChanges, _ reading: FoundRows, _ rows: inout FollowingRows)
    /// Records of zones that were deleted go for good, some at a time, in the transaction of the call; only its annex is written.
    ///
    /// - Returns: Whether it found room in the annex. Nothing goes where it did not, until the next pass: the feature makes room
    ///   meanwhile.
    func swept(_ records: SweptRecords, annex: inout HeadAnnex) -> Bool
}

extension RecordRule {
    public var readsFields: Bool { false }
    public var judges: Bool { true }
    public var changesOthers: Bool { false }
    public func companions(_ changes: RecordChanges) -> [Name] { [] }
    public func along(_ changes: RecordChanges) -> [CompanionChange] { [] }
    public func reading(_ changes: RecordChanges) -> AskedRows { AskedRows() }
    public func refusals(_ changes: RecordChanges, _ reading: FoundRows) -> [Int: Refusal] { [:] }
    public func follow(_ changes: RecordChanges, _ reading: FoundRows, _ rows: inout FollowingRows) {}
    public func swept(_ records: SweptRecords, annex: inout HeadAnnex) -> Bool { true }
    public func check(_ type: Name, in catalog: Catalog) -> RecordCheck? { nil }
    public func held(_ type: Name, in catalog: Catalog) -> [HeldField] { [] }
}

/// Says of the fields of a record why they are refused; nil where they are not.
public typealias RecordCheck = @Sendable (_ fields: Bytes) -> Refusal?

/// A record that a decision makes, changes or removes. A class: it has up to three rows, and is handed on often.
public final class RecordChange: Sendable {
    /// What does it.
    public enum Cause: Sendable {
        /// Somebody asks for it: a save or a deletion that may be refused.
        case asked
        /// It goes with a record that it names, at once or later.
        case cascade
        /// It comes back from the trash.
        case restoration
        /// All records of an environment go, and those of users are made anew.
        case reset
        /// The server makes or changes a record of its own, of a user.
        case server
        /// It makes room: its type was removed, and another record takes its name.
        case replaced
    }

    public let cause: Cause
    /// The name of its type.
    public let type: Name
    public let name: Name
    /// As it was; nil for one that is made.
    public let old: RecordStub?
    /// With what it held, where that was read.
    public let oldRow: RecordRow?
    /// As it is from now on; nil for one that goes. Before it is sure that it will be, without its sequence and numbers.
    public let new: RecordRow?
    /// What it comes back from.
    public let former: FormerRecord?

    init(
        cause: Cause, type: Name, name: Name, old: RecordStub?, oldRow: RecordRow?, new: RecordRow?,
        former: FormerRecord? = nil
    ) {
        (self.cause, self.type, self.name, self.former) = (cause, type, name, former)
        (self.old, self.oldRow, self.new) = (old, oldRow, new)
    }
}

/// The records of one database that a decision changes, as far as a rule has a say about them: in order, each once.
public struct RecordChanges: Sendable {
    /// The database, as it was.
    public let head: HeadRow
    /// The time of the changes.
    public let now: Milliseconds
    /// All that may be changed: what rows are asked for by. Refusals may have made fewer of them. A record may be among them twice: as it is saved,
    /// and as it goes where that is refused.
    public internal(set) var asked: [RecordChange]
    /// Those that are, as far as is known.
    public internal(set) var all: [RecordChange]
    /// By which they are judged.
    public let catalog: Catalog
    /// Whether whoever asks sees every record of a type, so that a refusal may name one.
    public internal(set) var showsAll: @Sendable (_ type: Name) -> Bool = { _ in false }
    /// Who makes them, for people (``RequestContext/changer``); empty for the server itself. Known once they are made.
    public internal(set) var author = ""
    /// Those that rules asked for and that are there. None of them is among the changes that somebody asks for.
    public internal(set) var companions: [Name: RecordRow] = [:]
    /// Of the decision.
    var memory = RuleMemory()
    /// Whether all that was asked about becomes of it, so that what was worked out of ``asked`` holds: ``all`` is a part of it.
    public var isWhole: Bool { all.count == asked.count }

    /// What a rule works out about ``asked``, once for all that it is asked in a decision.
    ///
    /// - Parameter work: Comes to the same each time.
    public func once<Value: AnyObject & Sendable>(_ work: () -> Value) -> Value { memory.value(work) }
}

/// A field whose references must lead to a record of the zone when they are saved.
public struct HeldField: Sendable {
    public let field: Name
    /// What is told to whoever saves one that does not.
    public let reason: String
    /// What a record must hold for it to matter.
    public let concerns: @Sendable (Bytes) -> Bool

    public init(_ field: Name, reason: String, concerns: @escaping @Sendable (Bytes) -> Bool) {
        (self.field, self.reason, self.concerns) = (field, reason, concerns)
    }
}

/// Fields of a companion that get other values.
public struct CompanionChange: Sendable {
    public let name: Name
    /// Of fields that its type has.
    public let patch: FieldsPatch

    public init(_ name: Name, _ patch: FieldsPatch) { (self.name, self.patch) = (name, patch) }
}

/// Records that the server removes since their zone was deleted, as far as a rule has a say about them. Those of types that were
/// removed from the schema are not among them.
public struct SweptRecords: Sendable {
    /// The database, as it was.
    public let head: HeadRow
    /// The time of the removal.
    public let now: Milliseconds
    /// How many, by the names of their types.
    public let counts: [Name: Int64]
}

/// What a rule writes: rows of the described tables of its feature, and what that keeps in the head of the database. And what is to be
/// done later because of it.
public struct FollowingRows: Sendable {
    var changes = WriteSet()
    private(set) var annex: HeadAnnex

    init(_ annex: HeadAnnex) { self.annex = annex }

    /// Adds a row.
    public mutating func put(_ row: some StoredRow) { changes.put(row) }

    /// Adds a row, or puts it in the place of the one with its key. - Parameter old: As it was read; nil for a new row.
    public mutating func put<Row: StoredRow>(_ row: Row, replacing old: Row?) { changes.put(row, replacing: old) }

    /// Has background work done in the tenant at a moment at the latest. - Parameter job: Its name.
    public mutating func ask(for job: String, at time: Milliseconds) { changes.ask(for: job, at: time) }

    /// Removes a row. - Parameter row: As it was read.
    public mutating func remove(_ row: some StoredRow) { changes.remove(row) }

    /// What a feature keeps in the head of the database, with what was set before.
    public func annex(of feature: String) -> [UInt8] { annex[feature] }

    /// Has the head keep other bytes of a feature.
    ///
    /// - Returns: false, and nothing changes, for more than ``HeadAnnex/bytesMax``: the rule puts rows then.
    public mutating func setAnnex(_ bytes: [UInt8], of feature: String) -> Bool { annex.set(bytes, of: feature) }
}
