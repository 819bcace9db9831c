import CloudKitWire
import Foundation
import NephosStorage

/// The semantics of queries, implemented in the simplest way: every record is examined, in plain values. It shares no code with the
/// code under test.
struct PlainQuery {
    static let stopWords: Set<String> = [
        "a", "an", "and", "are", "as", "at", "be", "but", "by", "for", "if", "in", "into", "is", "it", "no", "not",
        "of",
        "on", "or", "such", "that", "the", "their", "then", "there", "these", "they", "this", "to", "was", "will",
        "with",
    ]

    var scan: QueryScan

    /// Numbers of the records that the query finds, in its order.
    func answer(_ records: [PlainRecord], zones: [ZoneNumber]) -> [RecordNumber] {
        records.filter { $0.type == scan.type && zones.contains($0.zone) && matches($0) }
            .sorted { precedes($0, $1) }.map(\.number)
    }

    func matches(_ record: PlainRecord) -> Bool {
        scan.conditions.allSatisfy { condition in
            if case .hasTokens(let words, let all) = condition.test {
                let found = Set(condition.fields.flatMap { Self.words(of: Self.value($0, record)) })
                let wanted = words.map { String(decoding: $0, as: UTF8.self) }
                return all ? wanted.allSatisfy(found.contains) : wanted.contains(where: found.contains)
            }
            if case .isOpen(let now, let hours, let proofs, let exempt) = condition.test {
                if let exempt, exempt == record.createdBy { return true }
                let times = condition.fields.map { Self.value($0, record) }
                func time(_ value: Value?) -> Int64? { if case .whole(let time) = value { time } else { nil } }
                let hasBegun = hours.start != nil ? time(times[0]).map { $0 <= now } ?? false : true
                if let proofs, case .list(let asked) = times[condition.fields.count - 2], !asked.isEmpty {
                    let isProved = asked.contains { word in
                        if case .bytes(let text) = word { proofs.contains { Array($0) == text } } else { false }
                    }
                    guard isProved else { return false }
                }
                return hasBegun
                    && (hours.end != nil ? time(times[hours.start != nil ? 1 : 0]).map { now < $0 } ?? true : true)
            }
            return Self.passes(Self.value(condition.fields[0], record), condition.test)
        }
    }

    // MARK: Values

    enum Value {
        case bytes([UInt8])
        case whole(Int64)
        case number(Double)
        case user(UserID)
        case place(Double, Double)
        case list([Value])
    }

    static func value(_ field: RecordField, _ record: PlainRecord) -> Value? {
        switch field {
        case .recordName: return .bytes(Array(record.name.utf8))
        case .createdAt: return .whole(record.createdAt)
        case .modifiedAt: return .whole(record.modifiedAt)
        case .createdBy: return .user(record.createdBy)
        case .modifiedBy: return .user(record.modifiedBy)
        case .share: return record.share.map { .whole($0) }
        case .parentInShare: return record.isShareRoot ? nil : value(.parent, record)
        case .parent: return record.parent.map { .bytes(Array($0.utf8)) }
        case .field(let name, let type, let epoch):
            guard record.epoch >= epoch, let value = record.fields[name.text] else { return nil }
            switch (value, type) {
            case (.text(let text), .string), (.reference(let text), .reference): return .bytes(Array(text.utf8))
            case (.data(let data), .bytes): return .bytes(data)
            case (.whole(let number), .int64), (.time(let number), .timestamp): return .whole(number)
            case (.number(let number), .double): return .number(number)
            case (.place(let latitude, let longitude), .location): return .place(latitude, longitude)
            case (.texts(let texts), .stringList): return .list(texts.map { .bytes(Array($0.utf8)) })
            case (.wholes(let numbers), .int64List): return .list(numbers.map { .whole($0) })
            case (.numbers(let numbers), .doubleList): return .list(numbers.map { .number($0) })
            case (.references(let names), .referenceList): return .list(names.map { .bytes(Array($0.utf8)) })
            default: return nil
            }
        }
    }

    // MARK: Conditions

    private static func passes(_ value: Value?, _ test: QueryCondition.Test) -> Bool {
        var members: [Value]?
        if case .list(let list) = value { members = list }
        switch test {
        case .isAny(let values): return values.contains { compare(value, $0) == 0 }
        case .isNone(let values): return !values.contains { compare(value, $0) == 0 }
        case .isBetween(let lower, let upper):
            guard let value, members == nil else { return false }
            if let lower, !(compare(value, lower.value).map { $0 > 0 || lower.isIncluded && $0 == 0 } ?? false) {
                return false
            }
            if let upper, !(compare(value, upper.value).map { $0 < 0 || upper.isIncluded && $0 == 0 } ?? false) {
                return false
            }
            return true
        case .beginsWith(let start): return begins(value, start)
        case .beginsNotWith(let start): return !begins(value, start)
        case .holdsAny(let values):
            return members?.contains { one in values.contains { compare(one, $0) == 0 } } ?? false
        case .holdsNone(let values):
            return !(members?.contains { one in values.contains { compare(one, $0) == 0 } } ?? false)
        case .holdsAll(let values): return members.map { holdsAll($0, values) } ?? false
        case .holdsNotAll(let values): return !(members.map { holdsAll($0, values) } ?? false)
        case .memberBeginsWith(let start): return members?.contains { begins($0, start) } ?? false
        case .noMemberBeginsWith(let start): return !(members?.contains { begins($0, start) } ?? false)
        case .hasTokens, .isOpen: return false
        case .isNear(let place, let metres):
            guard case .place(let latitude, let longitude) = value else { return false }
            return distance(place.latitude, place.longitude, latitude, longitude) <= metres
        }
    }

    private static func holdsAll(_ members: [Value], _ values: [QueryValue]) -> Bool {
        values.allSatisfy { value in members.contains { compare($0, value) == 0 } }
    }

    private static func begins(_ value: Value?, _ start: Bytes) -> Bool {
        guard case .bytes(let bytes) = value else { return false }
        return Array(bytes.prefix(start.count)) == Array(start)
    }

    private static func compare(_ value: Value?, _ other: QueryValue) -> Int? {
        switch (value, other) {
        case (.whole(let a), .integer(let b)): return a == b ? 0 : a < b ? -1 : 1
        case (.number(let a), .double(let b)): return a == b ? 0 : a < b ? -1 : 1
        case (.whole(let a), .double(let b)): return compare(.number(b), .integer(a)).map { -$0 }
        case (.number(let a), .integer(let b)):
            if abs(a) > 9.3e18 { return a < 0 ? -1 : 1 }
            guard let floor = Int64(exactly: a.rounded(.down)) else { return a < 0 ? -1 : 1 }
            return floor != b ? (floor < b ? -1 : 1) : a > a.rounded(.down) ? 1 : 0
        case (.bytes(let a), .bytes(let b)): return order(a, Array(b))
        case (.user(let a), .user(let b)): return order(hexadecimal(a), hexadecimal(b))
        default: return nil
        }
    }

    private static func hexadecimal(_ user: UserID) -> [UInt8] { Array(user.recordName.utf8) }

    private static func order(_ left: [UInt8], _ right: [UInt8]) -> Int {
        left == right ? 0 : left.lexicographicallyPrecedes(right) ? -1 : 1
    }

    // MARK: Order

    func precedes(_ left: PlainRecord, _ right: PlainRecord) -> Bool {
        let orders = scan.orders.isEmpty ? [QueryOrder(.recordName)] : scan.orders
        for order in orders {
            let (a, b) = (Self.value(order.field, left), Self.value(order.field, right))
            let result = compare(a, b, order, keys: orders.count)
            if result != 0 { return result < 0 }
        }
        return (left.zone, left.number) < (right.zone, right.number)
    }

    private func compare(_ left: Value?, _ right: Value?, _ order: QueryOrder, keys: Int) -> Int {
        guard let left else { return right == nil ? 0 : 1 }
        guard let right else { return -1 }
        let sign = order.isDescending ? -1 : 1
        switch (left, right) {
        case (.whole(let a), .whole(let b)): return a == b ? 0 : a < b ? -sign : sign
        case (.number(let a), .number(let b)): return a == b ? 0 : a < b ? -sign : sign
        case (.user(let a), .user(let b)): return sign * Self.order(Self.hexadecimal(a), Self.hexadecimal(b))
        case (.bytes(let a), .bytes(let b)):
            let (first, second) = (Self.cut(a, keys), Self.cut(b, keys))
            let result = Self.order(first.bytes, second.bytes)
            return sign * (result != 0 ? result : first.isCut == second.isCut ? 0 : first.isCut ? 1 : -1)
        case (.place(let a, let b), .place(let c, let d)):
            guard let origin = order.origin else { return 0 }
            // Descending distance equals ascending distance from the antipode.
            let from =
                order.isDescending
                ? (-origin.latitude, origin.longitude > 0 ? origin.longitude - 180 : origin.longitude + 180)
                : (origin.latitude, origin.longitude)
            let first = Self.distance(from.0, from.1, Self.grid(a, 180), Self.grid(b, 360))
            let second = Self.distance(from.0, from.1, Self.grid(c, 180), Self.grid(d, 360))
            return first == second ? 0 : first < second ? -1 : 1
        default: return 0
        }
    }

    /// The part of a string that counts in an order: 512 bytes, 1,800 in all with several keys; a zero counts twice.
    private static func cut(_ bytes: [UInt8], _ keys: Int) -> (bytes: [UInt8], isCut: Bool) {
        var room = min(512, 1_800 / keys)
        for (index, byte) in bytes.enumerated() {
            room -= byte == 0 ? 2 : 1
            if room < 0 { return (Array(bytes[..<index]), true) }
        }
        return (bytes, false)
    }

    // MARK: Places and words

    /// The center of the interval that contains an angle, when a circle or half circle of degrees is divided into 2^32 intervals.
    private static func grid(_ degrees: Double, _ all: Double) -> Double {
        let part = min(((degrees + all / 2) / all * 4_294_967_296).rounded(.down), 4_294_967_295)
        let low = part * (all / 4_294_967_296) - all / 2
        return (low + min(all / 2, low + all / 4_294_967_296)) / 2
    }

    static func distance(_ a: Double, _ b: Double, _ c: Double, _ d: Double) -> Double {
        let degree = Double.pi / 180
        let (x, y) = (sin((c - a) * degree / 2), sin((d - b) * degree / 2))
        let half = x * x + cos(a * degree) * cos(c * degree) * y * y
        return 2 * 6_371_008.8 * asin(min(1, half.squareRoot()))
    }

    static func words(of value: Value?) -> [String] {
        switch value {
        case .bytes(let bytes):
            String(decoding: bytes, as: UTF8.self).folding(
                options: [.caseInsensitive, .diacriticInsensitive], locale: nil
            )
            .split { !$0.isLetter && !$0.isNumber }.map(String.init).filter { !stopWords.contains($0) }
        case .list(let members): members.flatMap { words(of: $0) }
        default: []
        }
    }
}
