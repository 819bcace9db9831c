public import Foundation

/// What a message asks an app to do: a name that the app knows, with what belongs to it. No code comes from a server.
public enum CommunAction: Sendable, Hashable {
    /// Show a page of the web.
    case open(URL)
    /// Show the app where its new version is.
    case update
    /// Begin a mail. `to` is nil where the message names nobody, and the app's own address is meant.
    case mail(to: String?, subject: String?)
    /// Offer what is sold under this name.
    case purchase(product: String)
}

/// What an app does at each action. A message whose action is missing here is not shown.
public struct CommunActions: Sendable {
    public var open: (@Sendable (URL) async -> Void)?
    public var update: (@Sendable () async -> Void)?
    public var mail: (@Sendable (_ to: String?, _ subject: String?) async -> Void)?
    public var purchase: (@Sendable (_ product: String) async -> Void)?

    /// None yet.
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

    /// Does it, where the app has it.
    public func carryOut(_ action: CommunAction) async {
        switch action {
        case .open(let url): await open?(url)
        case .update: await update?()
        case .mail(let to, let subject): await mail?(to, subject)
        case .purchase(let product): await purchase?(product)
        }
    }
}
