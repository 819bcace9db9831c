import Foundation

extension CKShare {
    /// Somebody who takes part in a share.
    public typealias Participant = CKShareParticipant
    /// What a share is to the one who asked for it by its address.
    public typealias Metadata = CKShareMetadata

    /// Fields of a share that people are shown when they are invited. They are ordinary fields.
    public enum SystemFieldKey {
        /// The text that people see as the name of what is shared.
        public static let title: CKRecord.FieldKey = "cloudkit.title"
        /// Bytes of a small picture.
        public static let thumbnailImageData: CKRecord.FieldKey = "cloudkit.thumbnailImageData"
        /// A name that says what kind of thing is shared, such as `com.example.list`.
        public static let shareType: CKRecord.FieldKey = "cloudkit.type"
    }

    /// How far an invitation came.
    public enum ParticipantAcceptanceStatus: Int, Sendable {
        /// Not known, as before the share is saved.
        case unknown = 0
        /// Invited, and has not answered.
        case pending
        /// Takes part.
        case accepted
        /// Took part, and was removed or left.
        case removed
    }

    /// What somebody may do with the records of a share.
    public enum ParticipantPermission: Int, Sendable {
        /// Not known, as before the share is saved.
        case unknown = 0
        /// Neither reading nor changing.
        case none
        /// Reading alone.
        case readOnly
        /// Reading and changing.
        case readWrite
    }

    /// How somebody came to take part: as whose it is, by invitation, or by the address alone. Administrators are invited,
    /// and may invite.
    public enum ParticipantRole: Int, Sendable {
        /// Not known.
        case unknown = 0
        /// The person whose records are shared.
        case owner
        /// Was invited, and may invite others.
        case administrator
        /// Was invited.
        case privateUser
        /// Came by the share's address.
        case publicUser
    }

    /// The older form of ``ParticipantRole``, without administrators.
    @available(*, deprecated, message: "Use ParticipantRole.")
    public enum ParticipantType: Int, Sendable {
        /// Not known.
        case unknown = 0
        /// The person whose records are shared.
        case owner = 1
        /// Was invited.
        case privateUser = 3
        /// Came by the share's address.
        case publicUser = 4
    }
}
