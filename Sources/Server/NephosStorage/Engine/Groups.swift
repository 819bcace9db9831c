extension Swift.Sequence {
    /// Groups elements by key, in the order in which keys and elements occur. For few keys: each is compared with all.
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
