import Audience
import CloudKitWire
import NephosDomain
import NephosRunner
import NephosStorage

/// The published messages of containers, made ready, as long as nobody changes one.
typealias MessageMemory = TopicMemory<ReadyMessages>

extension MessageMemory {
    /// - Throws: `SectionFailure`, when messages are asked for, where the settings cannot be read.
    convenience init(_ indexes: IndexKeeper) {
        self.init(Messages.topic, holds: { $0.holds(at: $1) }) { store, set, catalog, now, isSame in
            var messages: [ReadyMessages.Item] = []
            if let settings = try catalog.messages(), let type = catalog.types[settings.type]?.row.number {
                var walk = TypeWalk(type)
                while let (records, reading) = try walk.next(store, set) {
                    guard isSame(reading) else { return nil }
                    messages += records.compactMap { ReadyMessages.Item($0, now: now) }
                }
                walk.note(in: indexes, of: store, now: now)
            }
            if !messages.isEmpty {
                let scan = MessageSaltRow.of(messages.map(\.message.id))
                var set = set
                set.ask(scan)
                let reading = try store.read(set)
                guard isSame(reading) else { return nil }
                let salts = Dictionary(reading[scan].map { ($0.message, $0.salt) }) { $1 }
                for place in messages.indices { messages[place].salt = salts[messages[place].message.id] }
            }
            return ReadyMessages(messages, audiences: try catalog.audiences(), now: now)
        }
    }
}

/// The messages of a container that are published and have not ended, and whom they are for.
final class ReadyMessages: Sendable {
    struct Item: Sendable {
        let message: Message
        let record: RecordRow
        /// nil for everybody.
        let condition: Condition?
        /// By which devices that have seen it are known; nil where nobody has.
        fileprivate(set) var salt: [UInt8]?

        /// - Returns: nil for one that is a draft or over, or cannot be read.
        init?(_ record: RecordRow, now: Milliseconds) {
            do throws(MessageFailure) { message = try Message(record.name, fields: record.fields) } catch { return nil }
            guard message.isPublished, message.until.map({ $0 > now }) ?? true else { return nil }
            do throws(WireError) {
                condition =
                    message.audience == Message.everybody
                    ? nil : try AudienceText.condition(Bytes(message.audience.utf8))?.prepared(at: now)
            } catch {
                return nil
            }
            self.record = record
        }
    }

    /// The first that fits is answered: by priority, then the one that began later, then by name.
    let items: [Item]
    private let audiences: AudienceBook
    /// When a condition changes by time alone, and all is made ready anew; nil for never.
    private let edge: Milliseconds?

    init(_ items: [Item], audiences: AudienceBook, now: Milliseconds) {
        let audiences = audiences.prepared(at: now)
        self.audiences = audiences
        edge = items.compactMap { $0.condition.flatMap { audiences.nextEdge(of: $0, after: now) } }.min()
        self.items = items.sorted { left, right in
            let (one, other) = (left.message, right.message)
            if one.priority != other.priority { return one.priority > other.priority }
            if one.publishedAt != other.publishedAt { return one.publishedAt ?? 0 > other.publishedAt ?? 0 }
            return one.id < other.id
        }
    }

    func holds(at now: Milliseconds) -> Bool { edge.map { now < $0 } ?? true }

    /// Open messages of a slot that are looked at for one answer, the most urgent.
    static let openMax = 100

    /// What is open in a slot, the first first, whomever it is for.
    private func open(in slot: String, at now: Milliseconds) -> some Swift.Sequence<Item> {
        items.lazy.filter { $0.message.slot == slot && $0.message.isOpen(at: now) }.prefix(Self.openMax)
    }

    /// Those that somebody may be shown now in a slot, the first first.
    func open(in slot: String, for context: EvaluationContext) -> some Swift.Sequence<Item> {
        open(in: slot, at: context.now).lazy.filter { item in
            guard let condition = item.condition else { return true }
            return self.audiences.verdict(of: condition, for: context) == .yes
        }
    }

    /// What is stored of who has seen any of what is open in a slot; nil where nothing can be.
    func seen(by seer: Seer, in slot: String, at now: Milliseconds) -> Scan<SeenRow>? {
        guard !seer.isNobody else { return nil }
        let keys = open(in: slot, at: now)
            .flatMap { item in item.salt.map { salt in seer.keys(salt).map { (item.message.id, $0) } } ?? [] }
        return keys.isEmpty ? nil : SeenRow.keyed(Array(keys))
    }

    /// When time alone may change what is answered next; nil for never.
    func changesAt(after now: Milliseconds) -> Milliseconds? {
        let edges = items.flatMap { [$0.message.publishedAt, $0.message.until] } + [edge]
        return edges.compactMap(\.self).filter { $0 > now }.min()
    }
}
