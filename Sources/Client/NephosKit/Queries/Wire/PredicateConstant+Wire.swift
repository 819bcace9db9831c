import CloudKitWire
import Foundation

extension PredicateConstant {
    /// The type tag in the protocol; nil for constants without one: lists, `nil`, and `now()`.
    private var scalarTag: FieldType? {
        switch self {
        case .string: .string
        case .int64: .int64
        case .double: .double
        case .timestamp: .timestamp
        case .bytes: .bytes
        case .reference: .reference
        case .location: .location
        case .list, .now, .null: nil
        }
    }

    /// Whether all elements of a list have one type. Integers and doubles may be mixed.
    var elementsAreOfOneKind: Bool {
        guard case .list(let elements) = self else { return false }
        let tags = Set(elements.map { $0.scalarTag })
        return !tags.contains(nil) && (tags.count <= 1 || tags == [.int64, .double])
    }

    /// Appends `{"value": …, "type": …}`.
    ///
    /// - Parameter ofReferences: Whether the field is known to hold references. It determines the type of an empty
    ///   list.
    func writeFieldValue(to writer: inout JSONWriter, ofReferences: Bool = false) {
        writer.beginObject()
        writer.key("value")
        write(to: &writer)
        if let tag = ofReferences && self == .list([]) ? .referenceList : tag {
            writer.key("type")
            writer.string(tag.tag)
        }
        writer.endObject()
    }

    /// The type tag of a constant or of a list; nil for a list that mixes integers and doubles, because a tag would
    /// change some of them. Without a tag, the type of each number follows from its form.
    private var tag: FieldType? {
        guard case .list(let elements) = self else { return scalarTag }
        guard let first = elements.first else { return .unknownList }
        return elements.allSatisfy { $0.scalarTag == first.scalarTag } ? first.scalarTag?.list : nil
    }

    private func write(to writer: inout JSONWriter) {
        switch self {
        case .string(let text): writer.string(text)
        case .int64(let number), .timestamp(let number): writer.int64(number)
        case .double(let number): writer.double(number)
        case .bytes(let bytes): writer.string(Data(bytes).base64EncodedString())
        case .reference(let reference): reference.write(to: &writer)
        case .location(let place): place.write(to: &writer)
        case .list(let elements):
            writer.beginArray()
            for element in elements { element.write(to: &writer) }
            writer.endArray()
        case .now, .null: writer.null()
        }
    }
}

extension PredicateReference {
    /// Writes the reference without the default zone: the IDs of user records specify it, although user records are in
    /// none of the zones of a request.
    fileprivate func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.key("recordName")
        writer.string(recordName)
        writer.key("action")
        writer.string("NONE")
        if zoneName != Self.defaultZone || ownerName != Self.currentUser {
            writer.key("zoneID")
            writer.beginObject()
            writer.key("zoneName")
            writer.string(zoneName)
            if ownerName != Self.currentUser {
                writer.key("ownerRecordName")
                writer.string(ownerName)
            }
            writer.endObject()
        }
        writer.endObject()
    }
}

extension PredicatePlace {
    func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.key("latitude")
        writer.double(latitude)
        writer.key("longitude")
        writer.double(longitude)
        writer.endObject()
    }
}
