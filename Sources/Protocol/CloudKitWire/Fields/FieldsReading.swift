/// An unparsed value of stored fields, or an element of a list. Each accessor returns nil if the type is another one or the bytes
/// are not canonical. Only escaped text and decoded bytes are allocated.
public struct StoredValue: Sendable {
    public let type: FieldType
    /// The value in its canonical spelling.
    public let json: ArraySlice<UInt8>

    public init(type: FieldType, json: ArraySlice<UInt8>) {
        self.type = type
        self.json = json
    }

    /// INT64, and TIMESTAMP in milliseconds since 1970.
    public var integer: Int64? {
        guard type == .int64 || type == .timestamp else { return nil }
        return json.withUnsafeBufferPointer { text in
            let isNegative = text.first == UInt8(ascii: "-")
            let digits = isNegative ? 1 : 0
            guard text.count > digits else { return nil }
            var value: Int64 = 0
            for byte in text[digits...] {
                let digit = Int64(byte) - 48
                let (product, tooLong) = value.multipliedReportingOverflow(by: 10)
                let (sum, overflow) = product.addingReportingOverflow(isNegative ? -digit : digit)
                guard 0...9 ~= digit, !tooLong, !overflow else { return nil }
                value = sum
            }
            return value
        }
    }

    /// DOUBLE; always finite.
    public var double: Double? { type == .double ? Self.double(json) : nil }

    /// STRING as UTF-8, BYTES decoded, REFERENCE as its record name.
    public var bytes: ArraySlice<UInt8>? {
        switch type {
        case .string: Self.text(json)
        case .bytes: Self.text(json).flatMap(Base64.bytes)
        case .reference: recordName
        default: nil
        }
    }

    /// LOCATION, in degrees.
    public var coordinate: (latitude: Double, longitude: Double)? {
        guard type == .location, let latitude = number(behind: "\"latitude\":"),
            let longitude = number(behind: "\"longitude\":")
        else { return nil }
        return (latitude, longitude)
    }

    /// Calls `body` with the elements of a list, in order.
    public func forEachElement(_ body: (StoredValue) -> Void) {
        guard let element = type.element else { return }
        var start = 1
        json.withUnsafeBufferPointer { text in
            let scanner = JSONScanner(bytes: text, limits: JSONLimits())
            while start < text.count - 1, let end = try? scanner.endOfValue(start, depth: 0) {
                body(StoredValue(type: element, json: json.part(start..<end)))
                start = end + 1
            }
        }
    }

    // MARK: Parts

    /// `{"action":"…","recordName":"…"`; actions need no escapes.
    private var recordName: ArraySlice<UInt8>? {
        rest(behind: "\"recordName\":").flatMap { rest in
            let length: Int? = rest.withUnsafeBufferPointer { text in
                guard text.first == UInt8(ascii: "\"") else { return nil }
                let scanner = JSONScanner(bytes: text, limits: JSONLimits())
                return try? scanner.endOfString(1).end + 1
            }
            return length.flatMap { Self.text(rest.prefix($0)) }
        }
    }

    private func number(behind key: StaticString) -> Double? {
        rest(behind: key).flatMap { rest in
            Self.double(rest.prefix { $0 != UInt8(ascii: ",") && $0 != UInt8(ascii: "}") })
        }
    }

    /// The bytes after the first occurrence of `key`. In locations only numbers precede it, and in references only the action.
    private func rest(behind key: StaticString) -> ArraySlice<UInt8>? {
        let length = key.utf8CodeUnitCount
        let start: Int? = json.withUnsafeBufferPointer { text in
            var start = 0
            while start + length < text.count {
                if key ~= UnsafeBufferPointer(rebasing: text[start..<(start + length)]) { return start + length }
                start += 1
            }
            return nil
        }
        return start.map { json.dropFirst($0) }
    }

    private static func double(_ text: ArraySlice<UInt8>) -> Double? {
        let isNumber = text.withUnsafeBufferPointer { text in
            (try? JSONScanner(bytes: text, limits: JSONLimits()).endOfNumber(0)) == text.count
        }
        return isNumber ? JSONNumber.double(text) : nil
    }

    private static func text(_ json: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard json.count >= 2, json.first == UInt8(ascii: "\"") else { return nil }
        let inside = json.dropFirst().dropLast()
        let plain = inside.withUnsafeBufferPointer {
            JSONScanner(bytes: $0, limits: JSONLimits()).endOfPlainText(0)
        }
        if plain == inside.count { return inside }
        var reader = JSONReader(checked: json)
        return try? reader.readString()
    }
}

extension CanonicalFields {
    /// Finds several fields in one walk over the stored ones. Encrypted values are skipped: the server cannot read them.
    ///
    /// - Parameters:
    ///   - names: In byte order, without duplicates.
    ///   - body: Called with the index of a name and its value.
    public static func read(_ names: [Name], in fields: ArraySlice<UInt8>, _ body: (Int, StoredValue) -> Void) {
        guard var wanted = names.first?.bytes else { return }
        fields.withUnsafeBufferPointer { bytes in
            var cursor = FieldsCursor(bytes)
            var index = 0
            while index < names.count, let entry = cursor.next() {
                let found = UnsafeBufferPointer(rebasing: bytes[entry.name])
                // Most are distinguished by their first byte.
                if let first = found.first, let next = wanted.first, first < next { continue }
                while index < names.count {
                    let order = wanted.withUnsafeBufferPointer { $0.compare(found) }
                    if order > 0 { break }
                    if order == 0, let parts = cursor.parts(of: entry), !parts.isEncrypted {
                        body(index, StoredValue(type: parts.type, json: fields.part(parts.value)))
                    }
                    index += 1
                    if index < names.count { wanted = names[index].bytes }
                }
            }
        }
    }
}
