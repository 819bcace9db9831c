public import CloudKitWire
public import NephosStorage

/// Who may do what with the records of one type in the public database, and why: the decisions of ``Rights``, for people.
public struct AccessTable: Sendable {
    /// Whose rights are shown.
    public enum Subject: Sendable, Hashable {
        /// Not signed in.
        case anonymous
        /// Signed in, without a role, for records of others.
        case signedIn
        /// Signed in, without a role, for their own records.
        case creator
        /// Signed in, with one of the container's own roles, for records of others.
        case role(Name)
        /// A person with these roles, for records of others or their own.
        case person(roles: [Name], own: Bool)
    }

    public enum Right: String, Sendable, CaseIterable { case read, create, write }

    public struct Line: Sendable, Equatable {
        public var subject: Subject
        public var right: Right
        public var isAllowed: Bool
        /// One clause: the grant that allows it, or that there is none.
        public var why: String
    }

    public let lines: [Line]

    /// - Parameter person: Names of a person's roles, to also show their rights; nil for nobody.
    public init(_ type: RecordType, of catalog: Catalog, person: [Name]? = nil) {
        let roles = Dictionary(uniqueKeysWithValues: catalog.roles.values.map { ($0.number, $0.name) })
        let own = type.ownRoles.compactMap { roles[$0] }.sorted()
        var subjects: [Subject] = [.anonymous, .signedIn, .creator] + own.map { .role($0) }
        if let person { subjects += [.person(roles: person, own: false), .person(roles: person, own: true)] }
        lines = subjects.flatMap { subject in
            Right.allCases.compactMap { right in
                subject.isAboutOwnRecords && right == .create
                    ? nil : AccessTable.line(subject, right, type, catalog)
            }
        }
    }

    private static func line(_ subject: Subject, _ right: Right, _ type: RecordType, _ catalog: Catalog) -> Line {
        let roles = subject.roles.compactMap { catalog.roles[$0] }
        let caller: Caller = subject == .anonymous ? .anonymous : .serverKey(subject.user)
        let context = RequestContext(catalog: catalog, caller: caller, scope: .public, now: 0)
        let rights = Rights(context, type: type, roles: roles.map(\.number))
        let creator = subject.isAboutOwnRecords ? subject.user : UserID.server
        let isAllowed =
            switch right {
            case .read: rights.mayRead(createdBy: creator)
            case .create: rights.mayCreate
            case .write: rights.mayWrite(createdBy: creator)
            }
        let why = isAllowed ? reason(subject, right, roles, type) : obstacle(subject, right, type)
        return Line(subject: subject, right: right, isAllowed: isAllowed, why: why)
    }

    /// The first grant that gives the right.
    private static func reason(_ subject: Subject, _ right: Right, _ roles: [RoleRow], _ type: RecordType) -> String {
        var holds = [RoleRow.world]
        if subject != .anonymous { holds.append(.icloud) }
        holds += roles
        if subject.isAboutOwnRecords { holds.append(.creator) }
        let isBound = type.row.number == usersTypeNumber && right == .write
        let giver = holds.first { role in
            (type.grants[role.number] ?? []).contains(right.granted) && !(isBound && role != .creator)
        }
        return giver.map { "GRANT \(right.rawValue.uppercased()) TO \($0.name)" } ?? "granted"
    }

    private static func obstacle(_ subject: Subject, _ right: Right, _ type: RecordType) -> String {
        let word = right.rawValue.uppercased()
        switch subject {
        case .anonymous where right != .read: return "only signed-in users can do this, whatever is granted"
        case _ where type.row.number == usersTypeNumber && right == .create:
            return "only the server creates user records"
        case _ where type.row.number == usersTypeNumber && right == .write && !subject.isAboutOwnRecords:
            return "only the owner can change a user record"
        case .anonymous: return "no grant of \(word) to _world"
        case .signedIn: return "no grant of \(word) to _icloud or _world".without(" or _world", unless: right == .read)
        case .creator: return "no grant of \(word) to _creator or to all users"
        case .role(let role): return "no grant of \(word) to \(role) or to all users"
        case .person(let roles, let own):
            let held = roles.map(\.text) + (own ? ["_creator"] : [])
            return "no grant of \(word) to \((held + ["_icloud"]).joined(separator: ", "))"
        }
    }
}

extension AccessTable.Subject {
    fileprivate var isAboutOwnRecords: Bool {
        switch self {
        case .creator: true
        case .person(_, let own): own
        case .anonymous, .signedIn, .role: false
        }
    }

    fileprivate var roles: [Name] {
        switch self {
        case .anonymous, .signedIn, .creator: []
        case .role(let role): [role]
        case .person(let roles, _): roles
        }
    }

    /// An arbitrary user.
    fileprivate var user: UserID { UserID(high: 1, low: 1) }
}

extension AccessTable.Right {
    fileprivate var granted: GrantRow.Rights {
        switch self {
        case .read: .read
        case .create: .create
        case .write: .write
        }
    }
}

extension String {
    fileprivate func without(_ part: String, unless keeps: Bool) -> String {
        keeps || !hasSuffix(part) ? self : String(dropLast(part.count))
    }
}
