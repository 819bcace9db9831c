import Communications

/// The kit's picture, where the article has UIKit's.
typealias UIImage = CommunImage

extension Commun {
    /// The article's message, of the kit's: the same parts under the same names, but that an action is a value there.
    init?(_ commun: Communications.Commun, _ act: @escaping (CommunAction) -> ()) {
        guard let identifier = commun.identifier, let image = commun.image, let type = CommunType(commun.type, act)
        else { return nil }
        self.init(
            title: commun.title, image: image, imageLabel: commun.imageLabel, content: commun.content, type: type,
            identifier: identifier)
    }
}

extension Commun.CommunType {
    init?(_ type: Communications.Commun.CommunType, _ act: @escaping (CommunAction) -> ()) {
        switch type {
        case .information(let okayTitle): self = .information(okayTitle: okayTitle)
        case .newVersion(let okayTitle, let actionTitle, let cancelTitle, let action, let alreadyUpdated):
            self = .newVersion(
                okayTitle: okayTitle, actionTitle: actionTitle, cancelTitle: cancelTitle, action: { act(action) },
                alreadyUpdated: alreadyUpdated)
        case .email(let actionTitle, let cancelTitle, let action):
            self = .email(actionTitle: actionTitle, cancelTitle: cancelTitle, action: { act(action) })
        case .website(let actionTitle, let cancelTitle, let action):
            self = .website(actionTitle: actionTitle, cancelTitle: cancelTitle, action: { act(action) })
        // The article's app sells nothing.
        case .purchase: return nil
        }
    }
}
