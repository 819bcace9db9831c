public import CloudKitWire
public import NephosStorage

/// Who may see a share, as kept in a field of the share record: so whoever reads the record has it. Rows of participants say the same for
/// those whose user is known, and these grant access.
public struct ShareList: Sendable, Equatable {
    /// Somebody whom the owner has named.
    public struct Participant: Sendable, Equatable {
        /// Identifies the participant in this share.
        public var id: String
        /// nil as long as only the address is known.
        public var user: UserID?
        /// The address by which the owner named them; empty if by their user.
        public var emailAddress: String
        public var role: ParticipantRow.Role
        public var permission: ParticipantRow.Permission
        public var hasAccepted: Bool
    }

    /// The name of the shared record; nil for a zone.
    public var root: Name?
    /// The number of the shared record; 0 for a zone.
    public var rootNumber: RecordNumber
    public var publicPermission: ShareRow.PublicPermission
    public var participants: [Participant]

    init(
        root: Name?, rootNumber: RecordNumber, publicPermission: ShareRow.PublicPermission = .none,
        participants: [Participant] = []
    ) {
        self.root = root
        self.rootNumber = rootNumber
        self.publicPermission = publicPermission
        self.participants = participants
    }

    // MARK: Stored

    /// Lines with values between tabs, which names and addresses cannot contain: the root, and then each participant.
    private var text: String {
        var lines = ["\(rootNumber)\t\(publicPermission.rawValue)\t\(root?.text ?? "")"]
        for participant in participants {
            let numbers = [participant.role.rawValue, participant.permission.rawValue, participant.hasAccepted ? 1 : 0]
            lines.append(
                ([participant.id] + numbers.map(String.init)
                    + [participant.user?.recordName ?? "", participant.emailAddress]).joined(separator: "\t"))
        }
        return lines.joined(separator: "\n")
    }

    /// The list of a share record; nil for other records.
    package init?(of fields: Bytes) {
        guard let text = ReservedFields.text(ReservedFields.list, in: fields) else { return nil }
        let lines = text.split(separator: "\n").map { $0.split(separator: "\t", omittingEmptySubsequences: false) }
        guard let first = lines.first, first.count == 3, let number = RecordNumber(first[0]),
            let permission = Int64(first[1]).flatMap(ShareRow.PublicPermission.init)
        else { return nil }
        (rootNumber, publicPermission) = (number, permission)
        root = first[2].isEmpty ? nil : Name(String(first[2]))
        participants = lines.dropFirst().compactMap(Participant.init)
    }

    /// The fields of a share record with this list.
    func kept(in fields: Bytes) -> Bytes { ReservedFields.set(text, ReservedFields.list, in: fields) }

    // MARK: Found

    /// Where somebody is in the list.
    func index(of user: UserID) -> Int? { participants.firstIndex { $0.user == user } }
}

extension ShareList.Participant {
    fileprivate init?(_ values: [Substring]) {
        guard values.count == 6, let role = Int64(values[1]).flatMap(ParticipantRow.Role.init),
            let permission = Int64(values[2]).flatMap(ParticipantRow.Permission.init)
        else { return nil }
        self.init(
            id: String(values[0]), user: UserID(recordName: values[4]), emailAddress: String(values[5]), role: role,
            permission: permission, hasAccepted: values[3] == "1")
    }
}
