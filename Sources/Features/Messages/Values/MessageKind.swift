/// What a message is about, and which buttons it has by what is known of who sees it.
enum MessageKind: String, Sendable, CaseIterable {
    case information, website, newVersion, email, purchase

    /// What a button does.
    enum Role: String, Sendable, CaseIterable { case action, cancel, okay }

    /// All that it may have.
    var roles: [Role] {
        switch self {
        case .information: [.okay]
        case .website, .email: [.action, .cancel]
        case .newVersion, .purchase: [.action, .cancel, .okay]
        }
    }

    /// - Parameter isDone: What it asks for was done: the new version is there, or the product was bought.
    func roles(isDone: Bool) -> [Role] {
        switch self {
        case .information: [.okay]
        case .website, .email: [.action, .cancel]
        case .newVersion, .purchase: isDone ? [.okay] : [.action, .cancel]
        }
    }

    /// What an app does at its action, by the name that it knows; nil where there is none.
    var action: String? {
        switch self {
        case .information: nil
        case .website: "open"
        case .newVersion: "update"
        case .email: "mail"
        case .purchase: "purchase"
        }
    }
}
