import CloudKitWire
import NephosStorage

/// What a caller may do with the records of one type (docs/roles.md).
///
/// Grants apply only to the public database. A private database belongs to its owner. ``Visibility`` determines whether a record
/// is shown.
struct Rights {
    private let ofWorld: GrantRow.Rights
    private let ofCreator: GrantRow.Rights
    let user: UserID?

    /// - Parameter roles: The numbers of the caller's own roles, from the snapshot of the answer, as requested with
    ///   ``RequestContext/memberships(for:)``.
    init(_ context: RequestContext, type: RecordType, roles: [Int64]) {
        self.init(context, grants: type.grants, roles: roles, isOfUsers: type.row.number == usersTypeNumber)
    }

    /// Rights of a user other than the caller.
    ///
    /// - Parameter roles: Their own roles, from the same snapshot.
    init(of user: UserID, to type: RecordType, roles: [Int64]) {
        self.init(
            user: user, isFree: user == .server, grants: type.grants, roles: roles,
            isOfUsers: type.row.number == usersTypeNumber)
    }

    /// Rights to a type that this request creates.
    init(_ context: RequestContext, ofNewTypeWith grants: [Int64: GrantRow.Rights], roles: [Int64]) {
        self.init(context, grants: grants, roles: roles, isOfUsers: false)
    }

    private init(
        _ context: RequestContext, grants: [Int64: GrantRow.Rights], roles: [Int64], isOfUsers: Bool
    ) {
        self.init(
            user: context.caller.user, isFree: context.scope != .public || context.caller.isAdministrator,
            grants: grants, roles: roles, isOfUsers: isOfUsers)
    }

    /// - Parameter isFree: Grants are ignored.
    private init(
        user: UserID?, isFree: Bool, grants: [Int64: GrantRow.Rights], roles: [Int64], isOfUsers: Bool
    ) {
        self.user = user
        guard !isFree else {
            ofWorld = [.read, .create, .write]
            ofCreator = []
            return
        }
        // The world never creates or writes, whatever a grant contains.
        var rights = (grants[RoleRow.world.number] ?? []).intersection(.read)
        if user != nil {
            rights.formUnion(grants[RoleRow.icloud.number] ?? [])
            for role in roles where role > RoleRow.lastReserved { rights.formUnion(grants[role] ?? []) }
        }
        // A user record describes the person, so nobody else changes it.
        ofWorld = isOfUsers ? rights.intersection(.read) : rights
        ofCreator = user != nil ? grants[RoleRow.creator.number] ?? [] : []
    }

    var mayCreate: Bool { ofWorld.contains(.create) }
    func mayRead(createdBy creator: UserID) -> Bool { allows(.read, creator) }
    func mayWrite(createdBy creator: UserID) -> Bool { allows(.write, creator) }

    /// All records, or only those that the caller created.
    var mayWriteAll: Bool { ofWorld.contains(.write) }
    var mayWriteOwn: Bool { ofCreator.contains(.write) }

    /// Which records of the type may be read.
    var extent: Visibility.Extent {
        if ofWorld.contains(.read) { return .all }
        if let user, ofCreator.contains(.read) { return .createdBy(user) }
        return .none
    }

    private func allows(_ right: GrantRow.Rights, _ creator: UserID) -> Bool {
        ofWorld.contains(right) || (creator == user && ofCreator.contains(right))
    }
}
