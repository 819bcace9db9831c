import CloudKitWire
import Foundation
import NephosStorage

/// A place that was drawn.
struct PickCandidate: Sendable, Equatable {
    let place: PickPlace
    /// The minimum share of its class's maximum weight, from 0 to 1, that the record must have. So each record is picked in
    /// proportion to its weight, although places of a class are drawn uniformly. 0 accepts any.
    var share: Double = 0

    func accepts(_ item: PickItemRow) -> Bool {
        guard case .open(let weightClass) = place.state else { return false }
        return Double(item.weight) > share * Double(Int64(1) << Int64(weightClass))
    }
}

/// A deterministic source of random numbers: the same seed yields the same results.
struct PickSeed: Sendable, Equatable {
    let value: UInt64

    init(_ value: UInt64) { self.value = value }

    init(_ text: String) {
        value = Array(text.utf8).withUnsafeBytes { xxHash64($0) }
    }

    /// 64 bits derived from some numbers.
    func bits(_ numbers: UInt64...) -> UInt64 {
        var state = value
        for number in numbers { state = Self.mix(state ^ Self.mix(number &+ 0x9E37_79B9_7F4A_7C15)) }
        return state
    }

    /// Above 0, and at most 1.
    static func share(_ bits: UInt64) -> Double { (Double(bits >> 11) + 1) / Double(UInt64(1) << 53) }

    /// The finalizer of SplitMix64 (Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators, 2014).
    private static func mix(_ value: UInt64) -> UInt64 {
        var value = value
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }

    /// One of a number of slots, uniformly: if slots are added or removed at the end, few seeds map to another one (Lamping,
    /// Veach: A Fast, Minimal Memory, Consistent Hash Algorithm, 2014).
    static func slot(_ bits: UInt64, of count: Int64) -> Int64 {
        var (key, place, next): (UInt64, Int64, Int64) = (bits, -1, 0)
        while next < count {
            place = next
            key = key &* 2_862_933_555_777_941_757 &+ 1
            let step = Double(Int64(1) << 31) / Double((key >> 33) + 1)
            next = Int64(min(Double(place + 1) * step, Double(Int64.max >> 10)))
        }
        return place
    }
}

/// Draws places by weight. The same seed draws the same places, and nearly the same if some records were added or removed.
struct PickDraw: Sendable {
    private let seed: PickSeed
    private let buckets: [PickChoice.Bucket]
    private var drawn: UInt64 = 0

    init(_ seed: PickSeed, _ buckets: [PickChoice.Bucket]) { (self.seed, self.buckets) = (seed, buckets) }

    /// Draws the next place.
    mutating func next() -> PickCandidate? {
        guard let bucket = bucket() else { return nil }
        let numbers = (drawn, UInt64(bucket.group), UInt64(bucket.weightClass))
        drawn += 1
        let slot = PickSeed.slot(seed.bits(numbers.0, numbers.1, numbers.2, 1), of: bucket.count)
        // A share just below 1 accepts only the maximum weight of a class; 0 accepts all.
        let share = 1 - PickSeed.share(seed.bits(numbers.0, numbers.1, numbers.2, 2))
        return PickCandidate(place: bucket.place(slot), share: share)
    }

    /// Selects a bucket in proportion to the maximum total weight of its records: each gets a random number divided by that
    /// weight, and the smallest wins. So a bucket that grows only takes picks from the others.
    private func bucket() -> PickChoice.Bucket? {
        guard buckets.count > 1 else { return buckets.first }
        var best: (bucket: PickChoice.Bucket, score: Double)?
        for bucket in buckets {
            let bits = seed.bits(drawn, UInt64(bucket.group), UInt64(bucket.weightClass), 0)
            let weight = Double(bucket.count) * Double(Int64(1) << Int64(bucket.weightClass))
            let score = -log(PickSeed.share(bits)) / weight
            if best.map({ score < $0.score }) ?? true { best = (bucket, score) }
        }
        return best?.bucket
    }

    /// All given records in a random order by weight, without repetition.
    static func order(_ items: [PickItemRow], _ seed: PickSeed) -> [PickItemRow] {
        items.map { item in
            let bits = seed.bits(item.name.bytes.withUnsafeBytes { xxHash64($0) })
            return (item: item, score: -log(PickSeed.share(bits)) / Double(item.weight))
        }.sorted { $0.score < $1.score }.map(\.item)
    }
}
