import Foundation

extension CKShare {
    public typealias Participant = CKShareParticipant
    public typealias Metadata = CKShareMetadata

    /// Fields of a share that people are shown when they are invited. They are ordinary fields.
    public enum SystemFieldKey {
        public static let title: CKRecord.FieldKey = "cloudkit.title"
        /// Bytes of a small picture.
        public static let thumbnailImageData: CKRecord.FieldKey = "cloudkit.thumbnailImageData"
        /// A name that says what kind of thing is shared, such as `com.example.list`.
        public static let shareType: CKRecord.FieldKey = "cloudkit.type"
    }

    /// How far an invitation came.
    public enum ParticipantAcceptanceStatus: Int, Sendable { case unknown = 0, pending, accepted, removed }

    /// What somebody may do with the records of a share.
    public enum ParticipantPermission: Int, Sendable { case unknown = 0, none, readOnly, readWrite }

    /// How somebody came to take part: as whose it is, by invitation, or by the address alone. Administrators are invited,
    /// and may invite.
    public enum ParticipantRole: Int, Sendable { case unknown = 0, owner, administrator, privateUser, publicUser }

    @available(*, deprecated, message: "Use ParticipantRole.")
    public enum ParticipantType: Int, Sendable { case unknown = 0, owner = 1, privateUser = 3, publicUser = 4 }
}
