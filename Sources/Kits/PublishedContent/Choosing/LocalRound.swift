import CloudKitWire
import Foundation

/// Goes through items in an order derived from a seed, each once until all were shown, then in another order. Items with greater
/// weight tend to come sooner, and added or removed items do not move the others.
struct LocalRound: Equatable {
    private let seed: UInt64
    private var round: UInt64 = 0
    /// Position of the last result in the order of the round.
    private var last = -Double.infinity

    init(seed: UInt64) { self.seed = seed }

    static func number(_ text: String) -> UInt64 { Array(text.utf8).withUnsafeBytes { xxHash64($0) } }

    /// The next items, without duplicates even if a new round begins among them.
    mutating func next(_ count: Int, of items: [ContentItem], weight: (ContentItem) -> Int64) -> [ContentItem] {
        var taken: [ContentItem] = []
        var ids: Set<String> = []
        while taken.count < min(count, items.count) {
            let left = items.filter { !ids.contains($0.id) }.map { (place: place($0, weight($0)), item: $0) }
                .filter { $0.place > last }.sorted { ($0.place, $0.item.id) < ($1.place, $1.item.id) }
            guard let first = left.first else {
                (round, last) = (round + 1, -Double.infinity)
                continue
            }
            last = first.place
            for next in left.prefix(min(count, items.count) - taken.count) {
                last = next.place
                ids.insert(next.item.id)
                taken.append(next.item)
            }
        }
        return taken
    }

    /// An item with twice the weight comes first twice as often (Efraimidis, Spirakis: Weighted random sampling with a reservoir,
    /// 2006).
    private func place(_ item: ContentItem, _ weight: Int64) -> Double {
        let bits = Self.number("\(seed) \(round) \(item.id)")
        let share = (Double(bits >> 11) + 1) / Double(UInt64(1) << 53)
        return -log(share) / Double(max(weight, 1))
    }

    // MARK: Text

    private static let prefix = "device-round"

    var text: String { "\(Self.prefix) \(seed) \(round) \(last.bitPattern)" }

    /// - Returns: nil for any other text, such as a server's position.
    init?(_ text: String?) {
        let words = (text ?? "").split(separator: " ")
        guard words.count == 4, words[0] == Self.prefix, let seed = UInt64(words[1]), let round = UInt64(words[2]),
            let last = UInt64(words[3])
        else { return nil }
        (self.seed, self.round, self.last) = (seed, round, Double(bitPattern: last))
        if self.last.isNaN { return nil }
    }
}

/// The position at which a list of the newest items continues.
struct LocalPlace: Equatable {
    let start: Int64
    let id: String

    private static let prefix = "device-list"

    init(start: Int64, id: String) { (self.start, self.id) = (start, id) }

    var text: String { "\(Self.prefix) \(start) \(id)" }

    init?(_ text: String?) {
        let words = (text ?? "").split(separator: " ", maxSplits: 2)
        guard words.count == 3, words[0] == Self.prefix, let start = Int64(words[1]) else { return nil }
        (self.start, id) = (start, String(words[2]))
    }
}
