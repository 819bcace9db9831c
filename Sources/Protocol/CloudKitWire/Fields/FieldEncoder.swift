/// Writes the fields of a request as canonical bytes (docs/protocol.md, "Field values").
///
/// Fields are appended in order of arrival. If that is not byte order, they are sorted by copying.
struct FieldEncoder {
    private struct Entry {
        var type: FieldType
        var isEncrypted: Bool
        /// The range of the field in `out`, with its name, without a comma.
        var range: Range<Int>
        /// Bytes of the name, which begins after the first quote.
        var nameLength: Int

        var name: Range<Int> { range.lowerBound + 1..<range.lowerBound + 1 + nameLength }
    }

    private var out: [UInt8] = [UInt8(ascii: "{")]
    private var entries: [Entry] = []
    private var removed: [Name] = []
    private var values: FieldValueEncoder
    private var isSorted = true
    private let recordType: Name
    private let countMax: Int

    init(
        references: FieldValueEncoder.References, recordType: Name, reserving capacity: Int,
        countMax: Int = FieldsInput.countMax, bytesMax: Int = .max
    ) {
        out.reserveCapacity(capacity)
        // Few fields take less than 48 bytes, so the array rarely grows.
        entries.reserveCapacity(min(capacity / 48, FieldsInput.countMax))
        values = FieldValueEncoder(references: references, bytesMax: bytesMax)
        self.recordType = recordType
        self.countMax = countMax
    }

    /// - Parameter json: An object whose syntax has been checked.
    mutating func encode(_ json: ArraySlice<UInt8>, known: (Name) -> KnownField?) throws(FieldProblem) {
        var current: Name?
        do throws(WireError) {
            var reader = JSONReader(checked: json)
            try reader.readObject { reader, key throws(WireError) in
                do throws(WireError) {
                    try self.encodeField(key.name, &reader, known: known)
                } catch {
                    current = key.name
                    throw error
                }
            }
        } catch {
            // The record as a whole is too large; the field was merely the last one.
            throw FieldProblem(field: error.isLimit ? nil : current, message: error.message, isLimit: error.isLimit)
        }
        try finish()
    }

    private mutating func encodeField(
        _ name: Name, _ reader: inout JSONReader, known: (Name) -> KnownField?
    ) throws(WireError) {
        guard FieldName.isValid(name) else { throw Self.badName(name) }
        guard entries.count + removed.count < countMax else {
            throw WireError("a record can have at most \(countMax) fields", isLimit: true)
        }
        let parts = try FieldValueParts(&reader)
        guard let value = parts.value else { return removed.append(name) }
        let end = reader.position
        reader.position = value
        let (type, isEncrypted) = try resolve(parts, &reader, name, known(name))
        if let last = entries.last {
            if isSorted { isSorted = name.bytes.withUnsafeBufferPointer { bytes(of: last.name, areBefore: $0) } }
            out.append(UInt8(ascii: ","))
        }
        let start = out.count
        appendHead(of: name, type, isEncrypted: isEncrypted)
        try values.append(&reader, as: type, isEncrypted: isEncrypted, isTagged: parts.type != nil, to: &out)
        reader.position = end
        out.append(UInt8(ascii: "}"))
        try values.checkSize(of: out)
        entries.append(
            Entry(type: type, isEncrypted: isEncrypted, range: start..<out.count, nameLength: name.bytes.count))
    }

    private func bytes(of range: Range<Int>, areBefore name: UnsafeBufferPointer<UInt8>) -> Bool {
        out.withUnsafeBufferPointer { UnsafeBufferPointer(rebasing: $0[range]).compare(name) < 0 }
    }

    private static func badName(_ name: Name) -> WireError {
        WireError(
            "'\(WireError.excerpt(name.bytes))' is not a valid field name: it must start with a letter, followed by letters, "
                + "digits and _, and have at most 255 bytes")
    }

    /// `"name":{"isEncrypted":true,"type":"T","value":`
    private mutating func appendHead(of name: Name, _ type: FieldType, isEncrypted: Bool) {
        out.append(UInt8(ascii: "\""))
        name.bytes.withUnsafeBufferPointer { out.append(contentsOf: $0) }
        out.append(isEncrypted ? "\":{\"isEncrypted\":true,\"type\":\"" : "\":{\"type\":\"")
        out.append(type.staticTag)
        out.append("\",\"value\":")
    }

    // MARK: Types

    private func resolve(
        _ parts: FieldValueParts, _ reader: inout JSONReader, _ name: Name, _ known: KnownField?
    ) throws(WireError) -> (type: FieldType, isEncrypted: Bool) {
        let type = try resolvedType(parts, &reader, name, known)
        let isEncrypted = parts.isEncrypted || known?.isEncrypted == true
        if isEncrypted {
            guard type.mayBeEncrypted else { throw WireError("values of type \(type.tag) cannot be encrypted") }
            guard !values.references.isPublic else {
                throw WireError("encrypted fields are not supported in the public database")
            }
            if let known, !known.isEncrypted {
                throw WireError("Attempt to save encrypted data in non encrypted field type")
            }
        }
        return (type, isEncrypted)
    }

    private func resolvedType(
        _ parts: FieldValueParts, _ reader: inout JSONReader, _ name: Name, _ known: KnownField?
    ) throws(WireError) -> FieldType {
        let stated = parts.type == .unknownList ? nil : parts.type
        if let stated, let known, known.type != .unknownList {
            guard stated == known.type else { throw contradiction(stated, name, known.type) }
            return stated
        }
        if let stated { return stated }
        let inferred = try FieldType(inferredFrom: &reader)
        if let known, known.type != .unknownList {
            let isOpaque = known.isEncrypted && inferred == .string
            guard isOpaque || Self.converts(inferred, to: known.type) else {
                throw contradiction(inferred, name, known.type)
            }
            return known.type
        }
        guard parts.type == nil || inferred.isList else {
            throw WireError("Invalid value, expected type UNKNOWN_LIST.")
        }
        return inferred
    }

    /// Whether a value of the inferred type may be one of the known type, as far as that can be determined.
    private static func converts(_ inferred: FieldType, to known: FieldType) -> Bool {
        if inferred == .unknownList { return known.isList }
        if let element = inferred.element, let knownElement = known.element {
            return converts(element, to: knownElement)
        }
        switch (inferred, known) {
        case (.int64, .double), (.int64, .timestamp), (.double, .int64), (.double, .timestamp), (.string, .bytes):
            return true
        default: return inferred == known
        }
    }

    private func contradiction(_ type: FieldType, _ name: Name, _ known: FieldType) -> WireError {
        WireError(
            "invalid attempt to set value type \(type.tag) for field \(WireError.excerpt(name.bytes)) of type "
                + "\(WireError.excerpt(recordType.bytes)), defined to be: \(known.tag)" + known.form(insteadOf: type))
    }

    // MARK: Order

    private mutating func finish() throws(FieldProblem) {
        out.append(UInt8(ascii: "}"))
        removed.sort()
        if isSorted { return }
        sortEntries()
        out = out.withUnsafeBufferPointer { unsorted in
            [UInt8](unsafeUninitializedCapacity: unsorted.count) { sorted, count in
                sorted[0] = UInt8(ascii: "{")
                count = 1
                for index in entries.indices {
                    let range = entries[index].range
                    entries[index].range = count..<count + range.count
                    count = sorted[count...].initialize(fromContentsOf: unsorted[range])
                    sorted[count] = index + 1 < entries.count ? UInt8(ascii: ",") : UInt8(ascii: "}")
                    count += 1
                }
            }
        }
    }

    private mutating func sortEntries() {
        out.withUnsafeBufferPointer { bytes in
            entries.sort {
                UnsafeBufferPointer(rebasing: bytes[$0.name]).compare(UnsafeBufferPointer(rebasing: bytes[$1.name])) < 0
            }
        }
    }

    func patch() -> FieldsPatch {
        FieldsPatch(
            set: out[...], removed: removed,
            fields: entries.map {
                PatchedField(name: Name(bytes: out[$0.name]), type: $0.type, isEncrypted: $0.isEncrypted)
            }, references: values.found, hasEncrypted: entries.contains(where: \.isEncrypted), assets: values.assets)
    }
}
