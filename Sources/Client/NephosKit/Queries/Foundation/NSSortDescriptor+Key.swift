public import Foundation

extension NSSortDescriptor {
    /// Creates a descriptor that sorts by a field, as on Apple's platforms.
    public convenience init(key: String?, ascending: Bool) {
        self.init(keyPath: SortedValue.path(key), ascending: ascending, comparator: SortedValue.compare)
    }

    /// The field that the descriptor sorts by; nil if the descriptor was created with a key path.
    public var key: String? { (keyPath as? KeyPath<NSObject, SortedValue>).flatMap { NSObject()[keyPath: $0].key } }

    var sortKey: SortKey {
        guard let near = self as? CKLocationSortDescriptor else { return SortKey(key: key, ascending: ascending) }
        // If the coordinates are out of range, there is nothing to sort by.
        return SortKey(key: near.place.flatMap { _ in key }, ascending: ascending, place: near.place)
    }

    /// Whether both lists sort alike. Of a descriptor that does not sort by a field only the same object is known to.
    static func areSame(_ left: [NSSortDescriptor]?, _ right: [NSSortDescriptor]?) -> Bool {
        guard let left, let right else { return left == nil && right == nil }
        return left.count == right.count
            && zip(left, right).allSatisfy { $0 === $1 || ($0.sortKey.key != nil && $0.sortKey == $1.sortKey) }
    }

    static func make(_ sort: SortKey) -> NSSortDescriptor {
        guard let place = sort.place, let key = sort.key else {
            return NSSortDescriptor(key: sort.key, ascending: sort.ascending)
        }
        return CKLocationSortDescriptor(key: key, place: place)
    }
}

/// The value that objects are sorted by when they are sorted locally. The key path to it contains the name of the
/// field: a key path is the only thing in which a Foundation sort descriptor can store the name.
struct SortedValue {
    var key: String?
    var value: PredicateConstant?

    static func path(_ key: String?) -> KeyPath<NSObject, SortedValue> { \NSObject.[sortedBy: key] }

    /// Orders missing values last.
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
