/// A selection of fields by name. If it is optional, nil selects all fields; an empty selection selects none.
public struct DesiredKeys: Sendable, Hashable, ExpressibleByArrayLiteral {
    /// In byte order, without duplicates.
    public let names: [Name]

    public init(_ names: [Name]) {
        var sorted = names.sorted()
        var last: Name?
        sorted.removeAll { name in
            defer { last = name }
            return name == last
        }
        self.names = sorted
    }

    public init(arrayLiteral names: Name...) { self.init(names) }

    /// Reads an array of strings; nil for `null`.
    init?(_ reader: inout JSONReader) throws(WireError) {
        guard let names = try reader.readNames(.desiredKeys) else { return nil }
        self.init(names)
    }
}
