/// What a browser returns for a passkey that was created. The maker of the authenticator does not matter, so the attestation
/// statement is parsed but not verified, whatever its format.
struct AttestationObject: Sendable, Equatable {
    static let bytesMax = 8 << 10

    /// As received, because these bytes are hashed and signed.
    let written: ArraySlice<UInt8>

    /// - Throws: ``PasskeyProblem/unreadable`` if it is not a valid object.
    init(_ bytes: ArraySlice<UInt8>) throws(PasskeyProblem) {
        guard bytes.count <= Self.bytesMax else { throw .unreadable }
        let object = try CBOR(bytes)
        guard case .text? = object["fmt"], object["attStmt"]?.members != nil, let data = object["authData"]?.bytes,
            object.members?.count == 3
        else { throw .unreadable }
        written = data
    }

    /// The authenticator's data, including the passkey.
    var authenticator: AuthenticatorData {
        get throws(PasskeyProblem) { try AuthenticatorData(written) }
    }
}
