extension CanonicalFields {
    /// The values of some fields that a notification may contain, as JSON: those that exist, are not encrypted, and are a text, a
    /// number, a time, a location or a reference (docs/protocol.md, "Notifications").
    public static func notificationValues(of names: some Sequence<Name>, in fields: ArraySlice<UInt8>) -> [Name:
        ArraySlice<
            UInt8
        >]
    {
        let names = Set(names)
        guard !names.isEmpty else { return [:] }
        var values: [Name: ArraySlice<UInt8>] = [:]
        fields.withUnsafeBufferPointer { bytes in
            var cursor = FieldsCursor(bytes)
            while let entry = cursor.next() {
                let name = Name(bytes: fields.part(entry.name))
                guard names.contains(name), let parts = cursor.parts(of: entry), !parts.isEncrypted,
                    parts.type.mayBeInNotification
                else { continue }
                values[name] = fields.part(parts.value)
            }
        }
        return values
    }
}

extension FieldType {
    fileprivate var mayBeInNotification: Bool {
        switch self {
        case .string, .int64, .double, .timestamp, .location, .reference: true
        case .asset, .bytes, .stringList, .int64List, .doubleList, .timestampList, .locationList, .referenceList,
            .assetList,
            .bytesList, .unknownList:
            false
        }
    }
}

extension NotificationInfo {
    /// Fields whose values are sent with the notification.
    public var notificationFields: Set<Name> {
        Set(alert.localizationArgs + title.localizationArgs + subtitle.localizationArgs)
            .union(additionalFields.prefix(Self.fieldsSent))
    }
}
