/// The stored form of a record's fields, format version 1 (docs/protocol.md, "Field values"): the JSON of the wire in a canonical
/// spelling, so that it can be copied into responses unchanged.
///
/// Functions expect bytes that were written here. Other bytes give meaningless results, but are never read out of bounds.
public enum CanonicalFields {
    /// Changes when the meaning or the spelling of stored bytes changes.
    public static let formatVersion = 1

    /// No fields: `{}`.
    public static let empty: ArraySlice<UInt8> = [UInt8(ascii: "{"), UInt8(ascii: "}")]

    /// The fields after a save: those of `stored`, without the removed ones, with the set ones inserted in order. Bytes are spliced
    /// without parsing values.
    public static func merge(stored: ArraySlice<UInt8>, patch: FieldsPatch) -> ArraySlice<UInt8> {
        if stored.count <= 2 { return patch.set }
        if patch.set.count <= 2, patch.removed.isEmpty { return stored }
        return stored.withUnsafeBufferPointer { old in
            patch.set.withUnsafeBufferPointer { new in
                var merge = FieldsMerge(stored: old, set: new, removed: patch.removed)
                return merge.merged()[...]
            }
        }
    }

    /// Names of the fields, in byte order.
    public static func names(in fields: ArraySlice<UInt8>) -> [Name] {
        var names: [Name] = []
        forEach(in: fields) { entry in names.append(Name(bytes: fields.part(entry.name))) }
        return names
    }

    /// The number of fields.
    public static func count(in fields: ArraySlice<UInt8>) -> Int {
        var count = 0
        forEach(in: fields) { _ in count += 1 }
        return count
    }

    /// The field value dictionary of a field, `{"type":…,"value":…}`; nil if it has no value.
    public static func value(of name: Name, in fields: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        let range: Range<Int>? = fields.withUnsafeBufferPointer { bytes in
            name.bytes.withUnsafeBufferPointer { name in
                var cursor = FieldsCursor(bytes)
                while let entry = cursor.next() {
                    let order = UnsafeBufferPointer(rebasing: bytes[entry.name]).compare(name)
                    if order == 0 { return entry.dictionary }
                    if order > 0 { return nil }
                }
                return nil
            }
        }
        return range.map { fields.part($0) }
    }

    /// Whether these bytes are exactly what this version writes. For checks and tests only; too slow for anything else.
    public static func isCanonical(_ fields: ArraySlice<UInt8>) -> Bool {
        guard let input = try? FieldsInput(json: fields) else { return false }
        var encoder = FieldEncoder(references: .anywhere, recordType: "", reserving: fields.count, countMax: .max)
        guard (try? encoder.encode(input.json, known: { _ in nil })) != nil else { return false }
        let patch = encoder.patch()
        return patch.removed.isEmpty && patch.set == fields
    }

    /// The references among the fields, in order; there may be duplicates.
    public static func references(in fields: ArraySlice<UInt8>) -> [FieldReference] {
        var references: [FieldReference] = []
        fields.withUnsafeBufferPointer { bytes in
            var cursor = FieldsCursor(bytes)
            while let entry = cursor.next() {
                guard let parts = cursor.parts(of: entry), parts.type == .reference || parts.type == .referenceList
                else { continue }
                var reader = JSONReader(checked: fields.part(parts.value))
                read(&reader, into: &references)
            }
        }
        return references
    }

    private static func read(_ reader: inout JSONReader, into references: inout [FieldReference]) {
        func one(_ reader: inout JSONReader) throws(WireError) {
            let input = try ReferenceInput(&reader)
            references.append(FieldReference(target: input.recordName, action: input.action))
        }
        // Canonical bytes contain nothing that could throw here; an invalid reference is ignored.
        do throws(WireError) {
            if try reader.kind == .array {
                try reader.readArray { reader, _ throws(WireError) in try one(&reader) }
            } else {
                try one(&reader)
            }
        } catch {
            return
        }
    }

    private static func forEach(in fields: ArraySlice<UInt8>, _ body: (FieldsCursor.Entry) -> Void) {
        fields.withUnsafeBufferPointer { bytes in
            var cursor = FieldsCursor(bytes)
            while let entry = cursor.next() { body(entry) }
        }
    }
}

extension ArraySlice<UInt8> {
    /// A part of the slice, by offsets from its beginning.
    func part(_ range: Range<Int>) -> ArraySlice<UInt8> {
        self[(startIndex + range.lowerBound)..<(startIndex + range.upperBound)]
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// Compares in byte order: negative if these bytes come first, 0 if both are the same.
    @inline(__always)
    func compare(_ other: UnsafeBufferPointer<UInt8>) -> Int {
        var index = 0
        let common = Swift.min(count, other.count)
        while index < common {
            if self[index] != other[index] { return Int(self[index]) - Int(other[index]) }
            index += 1
        }
        return count - other.count
    }
}
