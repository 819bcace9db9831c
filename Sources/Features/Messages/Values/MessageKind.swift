/// The kind of a message, which determines its buttons depending on the viewer's state.
enum MessageKind: String, Sendable, CaseIterable {
    case information, website, newVersion, email, purchase

    /// The purpose of a button.
    enum Role: String, Sendable, CaseIterable { case action, cancel, okay }

    /// All roles that its buttons can have.
    var roles: [Role] {
        switch self {
        case .information: [.okay]
        case .website, .email: [.action, .cancel]
        case .newVersion, .purchase: [.action, .cancel, .okay]
        }
    }

    /// - Parameter isDone: Whether its request is fulfilled: the new version is installed, or the product was bought.
    func roles(isDone: Bool) -> [Role] {
        switch self {
        case .information: [.okay]
        case .website, .email: [.action, .cancel]
        case .newVersion, .purchase: isDone ? [.okay] : [.action, .cancel]
        }
    }

    /// The name of what an app does when the action button is pressed; nil if there is none.
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
