public import Foundation

extension NSSortDescriptor {
    /// Sorts by a field, as on Apple's platforms.
    public convenience init(key: String?, ascending: Bool) {
        self.init(keyPath: SortedValue.path(key), ascending: ascending, comparator: SortedValue.compare)
    }

    /// The field that the descriptor sorts by; nil for one that was made with a key path.
    public var key: String? { (keyPath as? KeyPath<NSObject, SortedValue>).flatMap { NSObject()[keyPath: $0].key } }

    var sortKey: SortKey {
        guard let near = self as? CKLocationSortDescriptor else { return SortKey(key: key, ascending: ascending) }
        // Without a place on earth there is nothing to sort by.
        return SortKey(key: near.place.flatMap { _ in key }, ascending: ascending, place: near.place)
    }

    static func make(_ sort: SortKey) -> NSSortDescriptor {
        guard let place = sort.place, let key = sort.key else {
            return NSSortDescriptor(key: sort.key, ascending: sort.ascending)
        }
        return CKLocationSortDescriptor(key: key, place: place)
    }
}

/// What objects are sorted by where they are sorted locally. A key path that leads here keeps the field's name, the only
/// thing that a descriptor of Foundation can keep for us.
struct SortedValue {
    var key: String?
    var value: PredicateConstant?

    static func path(_ key: String?) -> KeyPath<NSObject, SortedValue> { \NSObject.[sortedBy: key] }

    /// Missing values come last.
    static func compare(_ left: Any, _ right: Any) -> ComparisonResult {
        switch ((left as? SortedValue)?.value, (right as? SortedValue)?.value) {
        case (nil, nil): .orderedSame
        case (nil, _): .orderedDescending
        case (_, nil): .orderedAscending
        case (let left?, let right?): ComparisonResult(rawValue: left.compare(right) ?? 0) ?? .orderedSame
        }
    }
}

extension NSObject {
    fileprivate subscript(sortedBy key: String?) -> SortedValue {
        guard let key, let subject = self as? any PredicateSubject,
            let value = subject.value(ofField: SystemKey.wireName(of: key)),
            case .constant(let constant) = PredicateOperand(value: value)
        else { return SortedValue(key: key) }
        return SortedValue(key: key, value: constant)
    }
}
