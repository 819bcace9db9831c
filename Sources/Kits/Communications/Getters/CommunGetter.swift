import KitSupport

/// Where messages come from: a server (``HTTPCommunGetter``), the article's records with CloudKit (`CloudCommunGetter` of
/// `CommunicationsCloudKit`), or what a preview or a test brings along (``StubCommunGetter``).
public protocol CommunGetter: Sendable {
    /// The message to show now; nil where there is none, or none that this version of the kit understands.
    ///
    /// - Throws: Why that is not known.
    func getCommunication(_ question: CommunQuestion) async throws(CommunFault) -> Commun?

    /// Whether it answers no more what it was told that somebody has seen.
    var keepsSeen: Bool { get }

    /// Tells that somebody was shown a message, or what they did with it. The same again changes nothing.
    ///
    /// - Throws: Why it was not told.
    func tell(_ report: CommunReport) async throws(CommunFault)
}

extension CommunGetter {
    /// The message for who has this device, whether or not they have seen it.
    public func getCommunication() async throws(CommunFault) -> Commun? {
        try await getCommunication(CommunQuestion())
    }

    public var keepsSeen: Bool { false }

    /// Where nobody is told.
    public func tell(_ report: CommunReport) async throws(CommunFault) {}
}

/// Whom a message is for: what an app says of its user and device. It selects, and protects nothing.
public struct CommunQuestion: Sendable, Hashable {
    /// `installation` stands for this device where nobody is signed in: by it a server knows what was seen.
    public var audience: CommunAudience
    /// What the app claims to be so: `subscribed` has the message about a purchase say okay alone.
    public var state: Set<String>

    public init(_ audience: CommunAudience = .current, state: Set<String> = []) {
        (self.audience, self.state) = (audience, state)
    }
}

/// What somebody did with a message.
public struct CommunReport: Sendable, Hashable, Codable {
    public enum Event: String, Sendable, Hashable, Codable { case shown, acted, dismissed }

    /// Of the message.
    public var id: String
    public var event: Event
    /// The one that was pressed.
    public var button: CommunButton.Role?
    /// What stands for this installation.
    public var device: String
    /// ``Commun/round``; nil for 0.
    public var round: Int?

    public init(_ id: String, _ event: Event, button: CommunButton.Role? = nil, device: String, round: Int = 0) {
        (self.id, self.event, self.button, self.device) = (id, event, button, device)
        self.round = round == 0 ? nil : round
    }

    /// By which a device knows that it was seen.
    var seenKey: String { Self.seenKey(id, round ?? 0) }

    static func seenKey(_ id: String, _ round: Int) -> String { round == 0 ? id : "\(id) \(round)" }
}
