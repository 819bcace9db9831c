import Foundation

extension CKShare {
    /// A person who takes part in a share.
    public typealias Participant = CKShareParticipant
    /// A share as described to a person who opens its URL.
    public typealias Metadata = CKShareMetadata

    /// Fields of a share that are shown to people when they are invited. They are ordinary fields.
    public enum SystemFieldKey {
        /// The name of the shared content, as people see it.
        public static let title: CKRecord.FieldKey = "cloudkit.title"
        /// The data of a thumbnail image.
        public static let thumbnailImageData: CKRecord.FieldKey = "cloudkit.thumbnailImageData"
        /// The type of the shared content, such as `com.example.list`.
        public static let shareType: CKRecord.FieldKey = "cloudkit.type"
    }

    /// The state of a participant's invitation.
    public enum ParticipantAcceptanceStatus: Int, Sendable {
        /// Unknown, for example before the share is saved.
        case unknown = 0
        /// The person was invited, and has not responded.
        case pending
        /// The person takes part.
        case accepted
        /// The person took part, and was removed or left.
        case removed
    }

    /// What a participant may do with the records of a share.
    public enum ParticipantPermission: Int, Sendable {
        /// Unknown, for example before the share is saved.
        case unknown = 0
        /// Neither reading nor changing records.
        case none
        /// Reading records only.
        case readOnly
        /// Reading and changing records.
        case readWrite
    }

    /// How a participant got access: as the owner, by invitation, or through the share's URL alone. Administrators are
    /// invited, and may invite others.
    public enum ParticipantRole: Int, Sendable {
        /// The role is not known.
        case unknown = 0
        /// The person whose records are shared.
        case owner
        /// The person was invited, and may invite others.
        case administrator
        /// The person was invited.
        case privateUser
        /// The person got access through the share's URL.
        case publicUser
    }

    /// The older form of ``ParticipantRole``, without administrators.
    @available(*, deprecated, message: "Use ParticipantRole.")
    public enum ParticipantType: Int, Sendable {
        /// The type is not known.
        case unknown = 0
        /// The person whose records are shared.
        case owner = 1
        /// The person was invited.
        case privateUser = 3
        /// The person got access through the share's URL.
        case publicUser = 4
    }
}
