public import CloudKitWire

/// What one environment of a container can hold: its security roles and its record types (docs/schema.md).
///
/// A value that keeps its parts in the order of their names' bytes, so two schemas are equal when they mean the same.
public struct Schema: Sendable, Equatable {
    /// Roles of the container's own. The built-in ones are always there and never listed.
    public private(set) var roles: [Name]
    public private(set) var recordTypes: [RecordType]

    /// - Parameters:
    ///   - roles: In any order; doubles count once.
    ///   - recordTypes: In any order; of two with one name, the later one counts.
    public init(roles: some Sequence<Name> = [], recordTypes: some Sequence<RecordType> = []) {
        self.roles = Set(roles).sorted()
        self.recordTypes = sortedByName(recordTypes, \.name)
    }

    /// The record type of a name. Setting one adds or replaces it, setting nil removes it.
    public subscript(type name: Name) -> RecordType? {
        get { position(of: name, in: recordTypes, \.name).found.map { recordTypes[$0] } }
        set { replace(name, in: &recordTypes, \.name, with: newValue) }
    }

    /// Adds a role; one that is there stays.
    public mutating func insert(role: Name) {
        let place = position(of: role, in: roles, \.self)
        if place.found == nil { roles.insert(role, at: place.insertion) }
    }

    /// Removes a role and what it was granted.
    public mutating func remove(role: Name) {
        roles.removeAll { $0 == role }
        for index in recordTypes.indices { recordTypes[index][rightsOf: role] = [] }
    }

    /// How many fields of their own all record types have together; system fields do not count.
    public var fieldCount: Int { recordTypes.reduce(0) { $0 + $1.fields.count } }
}

/// Elements in the order of their names; of several with one name, the last.
func sortedByName<Element>(_ elements: some Sequence<Element>, _ name: KeyPath<Element, Name>) -> [Element] {
    var byName: [Name: Element] = [:]
    for element in elements { byName[element[keyPath: name]] = element }
    return byName.values.sorted { $0[keyPath: name] < $1[keyPath: name] }
}

/// Where an element stands in sorted ones, or where it would.
func position<Element>(
    of wanted: Name, in elements: [Element], _ name: KeyPath<Element, Name>
) -> (found: Int?, insertion: Int) {
    var low = 0
    var high = elements.count
    while low < high {
        let middle = (low + high) / 2
        if elements[middle][keyPath: name] < wanted { low = middle + 1 } else { high = middle }
    }
    let isThere = low < elements.count && elements[low][keyPath: name] == wanted
    return (isThere ? low : nil, low)
}

/// Puts an element in its place among sorted ones; nil removes the one of that name.
func replace<Element>(
    _ wanted: Name, in elements: inout [Element], _ name: KeyPath<Element, Name>, with new: Element?
) {
    let place = position(of: wanted, in: elements, name)
    switch (place.found, new) {
    case (let index?, let new?): elements[index] = new
    case (let index?, nil): elements.remove(at: index)
    case (nil, let new?): elements.insert(new, at: place.insertion)
    case (nil, nil): break
    }
}
