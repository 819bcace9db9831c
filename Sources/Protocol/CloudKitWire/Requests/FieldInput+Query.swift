extension FieldInput {
    /// Reads a location, in a field value dictionary or bare.
    init(location reader: inout JSONReader) throws(WireError) {
        var isBare = false
        var probe = reader
        try probe.readObject { _, key throws(WireError) in if case "latitude" = key { isBare = true } }
        if isBare {
            self.init(type: .location, value: reader)
            try reader.skipValue()
        } else {
            try self.init(&reader)
        }
    }

    /// Some clients wrap the value of a filter on a system field in an object whose one key is that field's name.
    func unwrapped(from field: QueryField?) throws(WireError) -> FieldInput {
        guard let field, var reader = value, try reader.kind == .object else { return self }
        var count = 0
        var inner: JSONReader?
        try reader.readObject { reader, key throws(WireError) in
            count += 1
            if key.name == field.name { inner = reader }
        }
        guard count == 1, let inner else { return self }
        return FieldInput(type: type, isEncrypted: isEncrypted, value: inner)
    }

    /// The record names that this value stands for: a string, a reference or `{"recordName": …}`, or a list of those.
    ///
    /// - Throws: `WireError` for anything else.
    public func recordNames() throws(WireError) -> [Name] {
        guard var reader = value else { throw WireError.missing("value") }
        guard try reader.kind == .array else { return [try Self.recordName(&reader)] }
        var names: [Name] = []
        try reader.readArray { reader, _ throws(WireError) in names.append(try Self.recordName(&reader)) }
        return names
    }

    private static func recordName(_ reader: inout JSONReader) throws(WireError) -> Name {
        if try reader.kind == .string { return try reader.readName() }
        var name: Name?
        try reader.readMembers { reader, key throws(WireError) in
            if case "recordName" = key { name = try reader.readName() }
        }
        guard let name else { throw WireError.missing("recordName") }
        return name
    }

    /// The value in the canonical spelling of a type: what an equal stored value looks like.
    ///
    /// - Throws: `FieldProblem` when the value is not of that type.
    public func canonical(as type: FieldType, in zone: ReferenceZone) throws(FieldProblem) -> ArraySlice<UInt8> {
        guard var reader = value else { throw FieldProblem(field: nil, message: "a value is missing") }
        var out: [UInt8] = []
        var encoder = FieldValueEncoder(references: .within(zone))
        do throws(WireError) {
            let field = PatchedField(name: "", type: type, isEncrypted: false)
            try encoder.append(&reader, as: field, isTagged: self.type != nil, to: &out)
        } catch {
            throw FieldProblem(field: nil, message: error.message)
        }
        return out[...]
    }
}
