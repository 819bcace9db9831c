import CloudKitWire
import NephosStorage

/// What a caller may do with the records of one type (docs/roles.md).
///
/// Grants rule the public database only. A private database is its owner's. Whether a record is shown, ``Visibility`` says.
struct Rights {
    private let ofEverybody: GrantRow.Rights
    private let ofCreator: GrantRow.Rights
    let user: UserID?

    /// - Parameter roles: Numbers of the caller's own roles, from the snapshot that the answer comes from. What is
    ///   asked for with ``RequestContext/memberships(for:)``.
    init(_ context: RequestContext, type: RecordType, roles: [Int64]) {
        self.init(context, grants: type.grants, roles: roles, isOfUsers: type.row.number == usersTypeNumber)
    }

    /// Rights of somebody who is not asking.
    ///
    /// - Parameter roles: Their own roles, from the same snapshot.
    init(of user: UserID, to type: RecordType, roles: [Int64]) {
        self.init(
            user: user, isFree: user == .server, grants: type.grants, roles: roles,
            isOfUsers: type.row.number == usersTypeNumber)
    }

    /// Rights to a type that exists only once this request has made it.
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

    /// - Parameter isFree: Grants do not matter.
    private init(
        user: UserID?, isFree: Bool, grants: [Int64: GrantRow.Rights], roles: [Int64], isOfUsers: Bool
    ) {
        self.user = user
        guard !isFree else {
            ofEverybody = [.read, .create, .write]
            ofCreator = []
            return
        }
        // The world never creates or writes, whatever a grant says.
        var rights = (grants[RoleRow.world.number] ?? []).intersection(.read)
        if user != nil {
            rights.formUnion(grants[RoleRow.icloud.number] ?? [])
            for role in roles where role > RoleRow.lastReserved { rights.formUnion(grants[role] ?? []) }
        }
        // Who somebody is stands in their user record, so nobody else changes it.
        ofEverybody = isOfUsers ? rights.intersection(.read) : rights
        ofCreator = user != nil ? grants[RoleRow.creator.number] ?? [] : []
    }

    var mayCreate: Bool { ofEverybody.contains(.create) }
    func mayRead(createdBy creator: UserID) -> Bool { allows(.read, creator) }
    func mayWrite(createdBy creator: UserID) -> Bool { allows(.write, creator) }

    /// Everybody's records, or only those that the caller made.
    var mayWriteAll: Bool { ofEverybody.contains(.write) }
    var mayWriteOwn: Bool { ofCreator.contains(.write) }

    /// Which records of the type may be read.
    var extent: Visibility.Extent {
        if ofEverybody.contains(.read) { return .all }
        if let user, ofCreator.contains(.read) { return .createdBy(user) }
        return .none
    }

    private func allows(_ right: GrantRow.Rights, _ creator: UserID) -> Bool {
        ofEverybody.contains(right) || (creator == user && ofCreator.contains(right))
    }
}
