import Audience
import CloudKitWire
import NephosDomain
import NephosRunner
import NephosStorage

/// The published messages of containers, prepared and cached until one is changed.
typealias MessageCache = TopicCache<ReadyMessages>

extension MessageCache {
    /// - Throws: `SectionFailure`, when messages are requested, if the settings cannot be read.
    convenience init(_ indexes: IndexKeeper) {
        self.init(Messages.topic, holds: { $0.holds(at: $1) }) { store, set, catalog, now, isSame in
            var messages: [ReadyMessages.Item] = []
            let settings = try catalog.messages()
            if let settings, let type = catalog.types[settings.type]?.row.number {
                var walk = TypeWalk(type)
                while let (records, reading) = try walk.next(store, set) {
                    guard isSame(reading) else { return nil }
                    messages += records.compactMap { ReadyMessages.Item($0, now: now) }
                }
                walk.note(in: indexes, of: store, now: now)
            }
            var others: [MessageSaltRow] = []
            if !messages.isEmpty {
                let scan = MessageSaltRow.of(messages.map(\.message.id))
                let counted = MessageSaltRow.page(after: nil, limit: ReadyMessages.saltsMax)
                var set = set
                set.ask(scan)
                if settings?.cap != nil { set.ask(counted) }
                let reading = try store.read(set)
                guard isSame(reading) else { return nil }
                let salts = Dictionary(reading[scan].map { ($0.message, $0) }) { $1 }
                for place in messages.indices {
                    guard let salt = salts[messages[place].message.id] else { continue }
                    messages[place].round = salt.round
                    messages[place].salt = SeenSalt(salt.salt, signingKey: catalog.head.signingKey)
                }
                others = settings?.cap == nil ? [] : reading[counted].filter { !$0.salt.isEmpty }
            }
            return ReadyMessages(
                messages,
                seen: others.compactMap { other in
                    SeenSalt(other.salt, signingKey: catalog.head.signingKey).map { (other.message, other.endsAt, $0) }
                },
                audiences: try catalog.audiences(), now: now)
        }
    }
}

/// The salt with which the devices that have seen a message are identified.
struct SeenSalt: Sendable {
    let bytes: [UInt8]
    let code: DeviceCode

    /// - Returns: nil for a salt that was forgotten.
    init?(_ bytes: [UInt8], signingKey: [UInt8]) {
        guard !bytes.isEmpty else { return nil }
        (self.bytes, code) = (bytes, DeviceCode(bytes, signingKey: signingKey))
    }
}

/// The published messages of a container that have not ended, and their audiences.
final class ReadyMessages: Sendable {
    struct Item: Sendable {
        let message: Message
        let record: RecordRow
        /// nil for everybody.
        let condition: Condition?
        /// The salt for devices that have seen it; nil if nobody has.
        fileprivate(set) var salt: SeenSalt?
        /// How often it was shown again to people who had seen it.
        fileprivate(set) var round: Int64 = 0

        /// - Returns: nil for a draft, an ended message, or one that cannot be read.
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

    /// The first match is served; ordered by priority, then by later start, then by name.
    let items: [Item]
    /// The same by slot.
    private let slots: [String: [Item]]
    private let audiences: AudienceBook
    /// When a condition changes without an edit, so that everything is prepared again; nil for never.
    private let edge: Milliseconds?

    /// Messages that count for the cap, the last to end first.
    private let counted: [(message: Name, salt: SeenSalt)]
    /// The times at which the message of a slot may change without an edit, in order.
    private let edges: [String: [Milliseconds]]

    /// - Parameter seen: Messages that anybody has seen, if there is a cap.
    init(
        _ items: [Item], seen: [(message: Name, endsAt: Milliseconds, salt: SeenSalt)], audiences: AudienceBook,
        now: Milliseconds
    ) {
        counted = seen.sorted { ($0.endsAt == 0 ? .max : $0.endsAt) > ($1.endsAt == 0 ? .max : $1.endsAt) }
            .prefix(Self.openMax).map { ($0.message, $0.salt) }
        let audiences = audiences.prepared(at: now)
        self.audiences = audiences
        let edge = items.compactMap { $0.condition.flatMap { audiences.nextEdge(of: $0, after: now) } }.min()
        self.edge = edge
        edges = Dictionary(grouping: items) { $0.message.slot }.mapValues { items in
            (items.flatMap { [$0.message.publishedAt, $0.message.until] } + [edge]).compactMap(\.self).sorted()
        }
        let sorted = items.sorted { left, right in
            let (one, other) = (left.message, right.message)
            if one.priority != other.priority { return one.priority > other.priority }
            if one.publishedAt != other.publishedAt { return one.publishedAt ?? 0 > other.publishedAt ?? 0 }
            return one.id < other.id
        }
        self.items = sorted
        slots = Dictionary(grouping: sorted) { $0.message.slot }
    }

    func holds(at now: Milliseconds) -> Bool { edge.map { now < $0 } ?? true }

    /// Open messages of a slot that are considered for one response, in order of priority.
    static let openMax = 100
    /// Messages that are considered for a cap.
    static let saltsMax = 1_000

    /// Calls `body` with the open messages of a slot in order, regardless of audience, until it returns false.
    private func forEachOpen(in slot: String, at now: Milliseconds, _ body: (Item) -> Bool) {
        var count = 0
        for item in slots[slot] ?? [] where item.message.isOpen(at: now) {
            count += 1
            guard count <= Self.openMax, body(item) else { return }
        }
    }

    /// The first message that may be shown now in a slot, among those that `isWanted`.
    func first(in slot: String, for context: EvaluationContext, where isWanted: (Item) -> Bool) -> Item? {
        var found: Item?
        forEachOpen(in: slot, at: context.now) { item in
            if let condition = item.condition, audiences.verdict(of: condition, for: context) != .yes { return true }
            if isWanted(item) { found = item }
            return found == nil
        }
        return found
    }

    /// The scan for who has seen any open message of a slot, or any message that counts for the cap; nil if there can be none.
    func seen(by seer: MessageViewer, in slot: String, at now: Milliseconds) -> Scan<SeenRow>? {
        guard !seer.isUnidentified else { return nil }
        var keys: [(message: Name, seer: [UInt8])] = []
        func add(_ message: Name, _ salt: SeenSalt?) {
            if let person = seer.personKey { keys.append((message, person)) }
            if let device = seer.device, let salt { keys.append((message, salt.code.key(of: device))) }
        }
        forEachOpen(in: slot, at: now) { item in
            add(item.message.id, item.salt)
            return true
        }
        if seer.person != nil, seer.device != nil {
            // What the device has shown in other slots is taken over, too.
            for item in items where item.message.slot != slot && item.message.isOpen(at: now) && item.salt != nil {
                add(item.message.id, item.salt)
            }
        }
        if !counted.isEmpty {
            let open = Set(keys.map(\.message))
            for (message, salt) in counted where !open.contains(message) { add(message, salt) }
        }
        return keys.isEmpty ? nil : SeenRow.keyed(keys)
    }

    func salts(of messages: Set<Name>) -> [(message: Name, salt: [UInt8])] {
        let ofItems = items.compactMap { item in item.salt.map { (item.message.id, $0) } }
        return Dictionary(ofItems + counted) { $1 }.filter { messages.contains($0.key) }
            .map { (message: $0.key, salt: $0.value.bytes) }
    }

    /// When the message of a slot may change next without an edit; nil for never.
    func changesAt(after now: Milliseconds, in slot: String) -> Milliseconds? { edges[slot]?.first { $0 > now } }
}
