import CloudKitWire

/// What a sort descriptor says, as a value.
struct SortKey: Sendable, Equatable {
    /// As the program spells it; nil where a descriptor sorts by something else than a field.
    var key: String?
    var ascending = true
    /// Sorts by the distance from here.
    var place: PredicatePlace?

    /// The sort with the wire's name in the place of the program's.
    ///
    /// - Throws: ``UnsupportedPredicate`` where there is no field to sort by.
    func wired() throws(UnsupportedPredicate) -> SortKey {
        guard let key else {
            throw UnsupportedPredicate("a query can be sorted only by fields: use NSSortDescriptor(key:ascending:)")
        }
        var sort = self
        sort.key = SystemKey.wireName(of: try ComparisonTranslation.checked(key))
        return sort
    }

    /// Appends an element of `sortBy`, with the key as it stands.
    func write(to writer: inout JSONWriter) {
        writer.beginObject()
        if let key {
            writer.key("fieldName")
            writer.string(key)
        }
        writer.key("ascending")
        writer.bool(ascending)
        if let place {
            writer.key("relativeLocation")
            PredicateConstant.location(place).writeFieldValue(to: &writer)
        }
        writer.endObject()
    }

    /// Reads what ``write(to:)`` wrote.
    init(_ reader: inout JSONReader) throws(WireError) {
        try reader.readObject { reader, key throws(WireError) in
            switch key {
            case "fieldName": self.key = try reader.readName().text
            case "ascending": ascending = try reader.readBool()
            case "relativeLocation":
                if case .location(let place) = try PredicateConstant(fieldValue: &reader) { self.place = place }
            default: break
            }
        }
    }

    init(key: String?, ascending: Bool, place: PredicatePlace? = nil) {
        self.key = key
        self.ascending = ascending
        self.place = place
    }
}
