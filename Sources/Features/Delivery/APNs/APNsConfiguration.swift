import CloudKitWire

/// The configuration of an ``APNsClient``.
package struct APNsConfiguration: Sendable {
    package let key: APNsKey
    /// The app's bundle id, sent as `apns-topic`.
    package let topic: String
    package let host: APNsHost
    /// PEM certificates that are trusted in addition to the system's.
    package let roots: [UInt8]
    /// For a complete push, including the response.
    package let timeout: Duration

    /// - Throws: ``InvalidTopic``.
    package init(
        key: APNsKey, topic: String, host: APNsHost = .production, roots: [UInt8] = [],
        timeout: Duration = .seconds(10)
    ) throws(InvalidTopic) {
        guard Self.isTopic(topic) else { throw InvalidTopic() }
        self.key = key
        self.topic = topic
        self.host = host
        self.roots = roots
        self.timeout = timeout
    }

    private static func isTopic(_ text: String) -> Bool {
        (1...255).contains(text.utf8.count)
            && text.utf8.allSatisfy {
                $0.isLetter || $0.isDigit || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "-")
                    || $0 == UInt8(ascii: "_")
            }
    }
}

/// The topic is not valid.
package struct InvalidTopic: Error, Equatable, CustomStringConvertible {
    package var description: String {
        "The topic must be the app's bundle id: 1 to 255 characters A-Z, a-z, 0-9, '.', '-' and '_', "
            + "for example com.example.notes."
    }
}
