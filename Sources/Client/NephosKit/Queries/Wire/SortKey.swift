import CloudKitWire

/// A sort descriptor as a value.
struct SortKey: Sendable, Equatable {
    /// The name of the field as the program spells it; nil if the descriptor sorts by something other than a field.
    var key: String?
    var ascending = true
    /// The place to sort by the distance from.
    var place: PredicatePlace?

    /// Returns the sort key with the protocol's name of the field.
    ///
    /// - Throws: ``UnsupportedPredicate`` if there is no field to sort by, or if the key is not the name of a field.
    func wired() throws(UnsupportedPredicate) -> SortKey {
        guard let key else {
            throw UnsupportedPredicate("a query can be sorted only by fields: use NSSortDescriptor(key:ascending:)")
        }
        var sort = self
        sort.key = SystemKey.wireName(of: try ComparisonTranslation.checked(key))
        return sort
    }

    /// Appends an element of `sortBy`, with the key unchanged.
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

    /// Reads a sort key that ``write(to:)`` wrote.
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

extension SortKey: Archived {
    func archive(to writer: inout JSONWriter) { write(to: &writer) }

    init(archive reader: inout JSONReader) throws(WireError) { try self.init(&reader) }
}
