/// What a browser hands over of a passkey that was made. Who made the authenticator is not asked, so what the object states of that is
/// read and not looked at, whatever its format is.
struct AttestationObject: Sendable, Equatable {
    static let bytesMax = 8 << 10

    /// As it was written: it is hashed and signed so.
    let written: ArraySlice<UInt8>

    /// - Throws: ``PasskeyProblem/unreadable`` for what is none.
    init(_ bytes: ArraySlice<UInt8>) throws(PasskeyProblem) {
        guard bytes.count <= Self.bytesMax else { throw .unreadable }
        let object = try CBOR(bytes)
        guard case .text? = object["fmt"], object["attStmt"]?.members != nil, let data = object["authData"]?.bytes,
            object.members?.count == 3
        else { throw .unreadable }
        written = data
    }

    /// What the authenticator says, with the passkey.
    var authenticator: AuthenticatorData {
        get throws(PasskeyProblem) { try AuthenticatorData(written) }
    }
}
