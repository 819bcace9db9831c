public import CloudKitWire

/// The security roles and record types of one environment of a container (docs/schema.md).
///
/// Its parts are kept in byte order of their names, so two schemas are equal if they mean the same.
public struct Schema: Sendable, Equatable {
    /// The container's own roles. The built-in ones always exist and are never listed.
    public private(set) var roles: [Name]
    public private(set) var recordTypes: [RecordType]

    /// - Parameters:
    ///   - roles: In any order; duplicates count once.
    ///   - recordTypes: In any order; of two with the same name, the later one is used.
    public init(roles: some Sequence<Name> = [], recordTypes: some Sequence<RecordType> = []) {
        self.roles = Set(roles).sorted()
        self.recordTypes = sortedByName(recordTypes, \.name)
    }

    /// The record type with a name. Setting one adds or replaces it, setting nil removes it.
    public subscript(type name: Name) -> RecordType? {
        get { position(of: name, in: recordTypes, \.name).found.map { recordTypes[$0] } }
        set { replace(name, in: &recordTypes, \.name, with: newValue) }
    }

    /// Adds a role, unless it exists.
    public mutating func insert(role: Name) {
        let place = position(of: role, in: roles, \.self)
        if place.found == nil { roles.insert(role, at: place.insertion) }
    }

    /// Removes a role and its grants.
    public mutating func remove(role: Name) {
        roles.removeAll { $0 == role }
        for index in recordTypes.indices { recordTypes[index][rightsOf: role] = [] }
    }

    /// The total number of the record types' own fields, without system fields.
    public var fieldCount: Int { recordTypes.reduce(0) { $0 + $1.fields.count } }
}

/// Elements sorted by name; of several with the same name, the last.
func sortedByName<Element>(_ elements: some Sequence<Element>, _ name: KeyPath<Element, Name>) -> [Element] {
    var byName: [Name: Element] = [:]
    for element in elements { byName[element[keyPath: name]] = element }
    return byName.values.sorted { $0[keyPath: name] < $1[keyPath: name] }
}

/// The index of an element in a sorted array, or its insertion index.
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

/// Inserts or replaces an element in a sorted array; nil removes the one with that name.
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
