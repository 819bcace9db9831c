public import Foundation

/// What a message asks an app to do: the name of an action that the app implements, with its arguments. A server never sends code.
public enum CommunAction: Sendable, Hashable {
    /// Open a web page.
    case open(URL)
    /// Show the user where to get the new version of the app.
    case update
    /// Compose a mail. `to` is nil if the message names no recipient; the app then uses its own address.
    case mail(to: String?, subject: String?)
    /// Offer the product with this identifier.
    case purchase(product: String)
}

/// How an app performs each action. Messages whose action is nil here are not shown.
public struct CommunActions: Sendable {
    public var open: (@Sendable (URL) async -> Void)?
    public var update: (@Sendable () async -> Void)?
    public var mail: (@Sendable (_ to: String?, _ subject: String?) async -> Void)?
    public var purchase: (@Sendable (_ product: String) async -> Void)?

    /// Creates a set without any actions.
    public init() {}

    /// - Parameter action: nil for a message that asks for nothing.
    public func has(_ action: CommunAction?) -> Bool {
        switch action {
        case nil: true
        case .open: open != nil
        case .update: update != nil
        case .mail: mail != nil
        case .purchase: purchase != nil
        }
    }

    /// Performs the action, if the app implements it.
    public func carryOut(_ action: CommunAction) async {
        switch action {
        case .open(let url): await open?(url)
        case .update: await update?()
        case .mail(let to, let subject): await mail?(to, subject)
        case .purchase(let product): await purchase?(product)
        }
    }
}
