import CloudKitWire
import NephosStorage

/// Reads the list of participants of a request: the whole list of those who are in the share from now on.
struct ParticipantInputs {
    private let share: ShareRow
    private let list: ShareList
    private let owner: UserID?
    private let key: [UInt8]
    private let limits: DomainLimits

    /// - Parameters:
    ///   - list: As it was.
    ///   - owner: Of the share.
    init(_ share: ShareRow, _ list: ShareList, owner: UserID?, key: [UInt8], limits: DomainLimits) {
        self.share = share
        self.list = list
        self.owner = owner
        self.key = key
        self.limits = limits
    }

    /// - Throws: ``Refusal/badRequest(_:)``, ``Refusal/tooManyParticipants(_:)``.
    func list(_ inputs: [ParticipantInput]) throws(Refusal) -> [ShareList.Participant] {
        var found: [ShareList.Participant] = []
        var ids: Set<String> = []
        for input in inputs {
            guard let participant = try participant(input) else { continue }
            guard ids.insert(participant.id).inserted else {
                throw .badRequest("the list names a participant twice: \(participant.name)")
            }
            found.append(participant)
        }
        guard found.count < limits.participantsMax else {
            throw .tooManyParticipants(
                "a share can have at most \(limits.participantsMax) participants, its owner included")
        }
        return found
    }

    /// - Returns: nil for the owner, whom responses contain as well.
    private func participant(_ input: ParticipantInput) throws(Refusal) -> ShareList.Participant? {
        let user = try input.user.map { name throws(Refusal) -> UserID in
            guard let user = UserID(recordName: name.text) else {
                throw .badRequest(
                    "a participant's userRecordName must be '_' and 32 hexadecimal digits: \(name.excerpt)")
            }
            return user
        }
        let type = input.type?.text ?? "USER"
        if type == "OWNER" {
            guard user == nil || user == owner else {
                throw .badRequest("a share has one owner, the person who created it: name others with type USER")
            }
            return nil
        }
        guard user == nil || user != owner else {
            throw .badRequest("the owner is in the share anyway: leave them out of the participants")
        }
        let role: ParticipantRow.Role
        switch type {
        case "USER", "PRIVATE_USER": role = .user
        case "ADMINISTRATOR": role = .administrator
        default:
            throw .badRequest("type of a participant must be USER or ADMINISTRATOR, not \(input.type?.excerpt ?? "")")
        }
        guard let permission = ParticipantRow.Permission(word: input.permission ?? "READ_ONLY") else {
            throw .badRequest(
                "permission of a participant must be READ_ONLY or READ_WRITE; to remove somebody, leave them out of the list"
            )
        }
        if let id = input.id?.text, let known = list.participants.first(where: { $0.id == id }) {
            guard user == nil || known.user == nil || user == known.user else {
                throw .badRequest("participantId \(id) is somebody else: leave it out for somebody new")
            }
            var known = known
            (known.role, known.permission) = (role, permission)
            return known
        }
        return try identified(user, input, role, permission)
    }

    private func identified(
        _ user: UserID?, _ input: ParticipantInput, _ role: ParticipantRow.Role, _ permission: ParticipantRow.Permission
    ) throws(Refusal) -> ShareList.Participant {
        if let user {
            if let index = list.index(of: user) {
                var known = list.participants[index]
                (known.role, known.permission) = (role, permission)
                return known
            }
            return ShareList.Participant(
                id: id(of: user.recordName), user: user, emailAddress: "", role: role, permission: permission,
                hasAccepted: false)
        }
        guard let address = input.emailAddress else {
            throw .badRequest(
                input.phoneNumber == nil
                    ? "a participant needs a userIdentity with userRecordName, or lookupInfo with emailAddress"
                    : "people are not found by their telephone numbers here: name emailAddress or userRecordName")
        }
        guard address.bytes.count <= 254, !address.hasControlCharacters,
            address.bytes.dropFirst().dropLast().contains(UInt8(ascii: "@"))
        else { throw .badRequest("emailAddress of a participant is not an address: \(address.excerpt)") }
        // However it is spelled, one address names one person.
        let compared = EmailAddress.text(of: address.text)
        if var known = list.participants.first(where: {
            !$0.emailAddress.isEmpty && EmailAddress.text(of: $0.emailAddress).utf8.elementsEqual(compared.utf8)
        }) {
            (known.role, known.permission) = (role, permission)
            return known
        }
        return ShareList.Participant(
            id: id(of: compared), user: nil, emailAddress: address.text, role: role, permission: permission,
            hasAccepted: false)
    }

    private func id(of name: String) -> String {
        SealedToken.participantID(of: name, in: share.number, of: share.database, key: key)
    }
}

extension ShareList.Participant {
    /// For messages.
    fileprivate var name: String { emailAddress.isEmpty ? user?.recordName ?? id : emailAddress }
}
