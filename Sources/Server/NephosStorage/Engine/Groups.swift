extension Swift.Sequence {
    /// Groups elements by key, in the order in which keys and elements occur. Suitable for few keys only, because the
    /// key of each element is compared with all found keys.
    @inlinable
    package func groups<Key: Equatable>(by key: (Element) -> Key) -> [(key: Key, members: [Element])] {
        var groups: [(key: Key, members: [Element])] = []
        for member in self {
            let key = key(member)
            if let place = groups.firstIndex(where: { $0.key == key }) {
                groups[place].members.append(member)
            } else {
                groups.append((key, [member]))
            }
        }
        return groups
    }
}
