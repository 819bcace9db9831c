import KitSupport

/// Where messages come from: a server (``HTTPCommunGetter``), the article's records with CloudKit (`CloudCommunGetter` of
/// `CommunicationsCloudKit`), or the fixed messages of a preview or a test (``StubCommunGetter``).
public protocol CommunGetter: Sendable {
    /// Returns the message to show now; nil if there is none, or none that this version of the kit understands.
    ///
    /// - Throws: The reason why it could not be determined.
    func getCommunication(_ question: CommunQuestion) async throws(CommunFault) -> Commun?

    /// Whether the source stops returning messages that were reported as seen.
    var keepsSeen: Bool { get }

    /// Reports that a user was shown a message, or what they did with it. Idempotent.
    ///
    /// - Throws: The reason why the report was not sent.
    func tell(_ report: CommunReport) async throws(CommunFault)
}

extension CommunGetter {
    /// The message for the user of this device, whether or not they have seen it.
    public func getCommunication() async throws(CommunFault) -> Commun? {
        try await getCommunication(CommunQuestion())
    }

    public var keepsSeen: Bool { false }

    /// Does nothing: the source takes no reports.
    public func tell(_ report: CommunReport) async throws(CommunFault) {}
}

/// The audience of a message: what an app states about its user and device. It selects messages and protects nothing.
public struct CommunQuestion: Sendable, Hashable {
    /// `installation` identifies this device if nobody is signed in: the server uses it to record what was seen.
    public var audience: CommunAudience
    /// States that the app claims. With `subscribed`, the message about a purchase has only the okay button.
    public var state: Set<String>

    public init(_ audience: CommunAudience = .current, state: Set<String> = []) {
        (self.audience, self.state) = (audience, state)
    }
}

/// What a user did with a message.
public struct CommunReport: Sendable, Hashable, Codable {
    public enum Event: String, Sendable, Hashable, Codable { case shown, acted, dismissed }

    /// The ID of the message.
    public var id: String
    public var event: Event
    /// The button that was pressed.
    public var button: CommunButton.Role?
    /// The identifier of this installation.
    public var device: String
    /// ``Commun/round``; nil for 0.
    public var round: Int?

    public init(_ id: String, _ event: Event, button: CommunButton.Role? = nil, device: String, round: Int = 0) {
        (self.id, self.event, self.button, self.device) = (id, event, button, device)
        self.round = round == 0 ? nil : round
    }

    /// The key under which a device records that the message was seen.
    var seenKey: String { Self.seenKey(id, round ?? 0) }

    static func seenKey(_ id: String, _ round: Int) -> String { round == 0 ? id : "\(id) \(round)" }
}
