import CloudKitWire
import NephosStorage

/// What a caller may do with the records of one type (docs/protocol.md, "Security roles").
///
/// Grants rule the public database only. A private database is its owner's.
struct Rights {
    private let ofEverybody: GrantRow.Rights
    private let ofCreator: GrantRow.Rights
    private let user: UserID?

    /// The grants of a type that a development save has just made.
    static let ofNewType: [Int64: GrantRow.Rights] = [
        RoleRow.creator.number: .write, RoleRow.icloud.number: .create, RoleRow.world.number: .read,
    ]

    init(_ context: RequestContext, grants: [Int64: GrantRow.Rights]) {
        user = context.caller.user
        guard context.scope == .public else {
            ofEverybody = [.read, .create, .write]
            ofCreator = []
            return
        }
        // The world never creates or writes, whatever a grant says.
        var rights = (grants[RoleRow.world.number] ?? []).intersection(.read)
        if user != nil { rights.formUnion(grants[RoleRow.icloud.number] ?? []) }
        ofEverybody = rights
        ofCreator = user != nil ? grants[RoleRow.creator.number] ?? [] : []
    }

    var mayCreate: Bool { ofEverybody.contains(.create) }
    func mayRead(createdBy creator: UserID) -> Bool { allows(.read, creator) }
    func mayWrite(createdBy creator: UserID) -> Bool { allows(.write, creator) }

    /// Which records of the type a query shows.
    enum Visibility { case all, createdBy(UserID), none }

    var visibility: Visibility {
        if ofEverybody.contains(.read) { return .all }
        if let user, ofCreator.contains(.read) { return .createdBy(user) }
        return .none
    }

    private func allows(_ right: GrantRow.Rights, _ creator: UserID) -> Bool {
        ofEverybody.contains(right) || (creator == user && ofCreator.contains(right))
    }
}
