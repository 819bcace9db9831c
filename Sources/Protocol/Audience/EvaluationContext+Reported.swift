import CloudKitWire

/// What apps report about themselves and their users.
extension EvaluationContext {
    /// A property that an app reports as text, with its key in a context.
    public enum Property: String, Sendable, CaseIterable {
        case locale, platform, device, country, osVersion, appVersion, timeZone

        /// What a text must be, for people.
        fileprivate var expected: String {
            switch self {
            case .locale: "a language such as es or es-MX"
            case .platform: "a platform such as iOS"
            case .device: "a kind of device such as iPad"
            case .country: "two letters such as MX"
            case .osVersion: "a version such as 17.4"
            case .appVersion: "a version such as 2.4"
            case .timeZone: "a time zone such as Europe/Berlin"
            }
        }
    }

    /// Takes what an app reports, the same way wherever it does: in a context, in a query or in a header.
    ///
    /// Nothing here is an error, because one odd value must not cost an app all others: if the text cannot be read, the property is not
    /// known, and ``unreadable`` has it for people who ask why.
    ///
    /// - Parameter text: nil for nothing, which changes nothing.
    public mutating func report(_ property: Property, _ text: String?) {
        guard let text else { return }
        let isRead = set(property, text)
        if !isRead || !unreadable.isEmpty {
            unreadable[property] = isRead ? nil : WireError.excerpt(text).debugDescription
        }
    }

    /// - Returns: Whether the text can be read.
    private mutating func set(_ property: Property, _ text: String) -> Bool {
        switch property {
        case .locale:
            locale = LanguageTag(reported: text)
            return locale != nil
        case .platform:
            platform = text.isEmpty ? nil : text.lowercased()
            return platform != nil
        case .device:
            device = text.isEmpty ? nil : text.lowercased()
            return device != nil
        case .country:
            let isCode = text.utf8.count == 2 && text.utf8.allSatisfy { ($0 | 0x20) &- UInt8(ascii: "a") < 26 }
            country = isCode ? Subtags.region(text) : nil
            return isCode
        case .osVersion:
            systemVersion = Version(text)
            return systemVersion != nil
        case .appVersion:
            appVersion = Version(text)
            return appVersion != nil
        case .timeZone:
            timeZone = ClientZone(text)
            return timeZone != nil
        }
    }

    /// A sentence about each reported value that cannot be read, by key.
    public var unreadableNotes: [String] {
        Property.allCases.compactMap { property in
            unreadable[property].map { value in
                "\(property.rawValue) is \(value), not \(property.expected), so it counts as not known"
            }
        }
    }
}
