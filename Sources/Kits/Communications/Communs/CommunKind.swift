import Foundation

/// The kind of a message, as servers and records name it.
package enum CommunKind: String, Sendable, CaseIterable {
    case information, website, newVersion, email, purchase
}

extension Commun.CommunType {
    /// - Parameters:
    ///   - titles: The titles of the buttons that are known.
    ///   - action: nil if none is given.
    ///   - isDone: Whether the requested action was already done.
    /// - Returns: nil if a kind lacks its action.
    package init?(
        _ kind: CommunKind, _ titles: [CommunButton.Role: [String: String]], _ action: CommunAction?, isDone: Bool
    ) {
        func title(_ role: CommunButton.Role) -> [String: String] { titles[role] ?? [:] }
        switch (kind, action) {
        case (.information, _): self = .information(okayTitle: title(.okay))
        case (.website, .open?):
            guard let action else { return nil }
            self = .website(actionTitle: title(.action), cancelTitle: title(.cancel), action: action)
        case (.email, .mail?):
            guard let action else { return nil }
            self = .email(actionTitle: title(.action), cancelTitle: title(.cancel), action: action)
        case (.newVersion, .update?), (.newVersion, nil):
            guard isDone || action != nil else { return nil }
            self = .newVersion(
                okayTitle: title(.okay), actionTitle: title(.action), cancelTitle: title(.cancel), action: .update,
                alreadyUpdated: isDone)
        case (.purchase, .purchase?), (.purchase, nil):
            guard isDone || action != nil else { return nil }
            self = .purchase(
                okayTitle: title(.okay), actionTitle: title(.action), cancelTitle: title(.cancel),
                action: action ?? .purchase(product: ""), alreadyPurchased: isDone)
        default: return nil
        }
    }
}

extension CommunAction {
    /// The action for a web address; nil for any other URL, because no app should open one on a server's request.
    package static func open(_ address: String) -> CommunAction? {
        guard let url = URL(string: address), ["http", "https"].contains(url.scheme?.lowercased()), url.host() != nil
        else { return nil }
        return .open(url)
    }
}
