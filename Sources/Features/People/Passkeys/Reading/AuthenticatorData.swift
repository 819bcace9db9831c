/// What an authenticator sends with each signature (WebAuthn, "Authenticator Data").
struct AuthenticatorData: Sendable, Equatable {
    /// A passkey that was just created.
    struct Credential: Sendable, Equatable {
        let id: ArraySlice<UInt8>
        /// As received; this is what is stored.
        let writtenKey: ArraySlice<UInt8>
        let key: COSEKey
    }

    /// The limit of the data, with room for a key of 4,096 bits and extensions.
    static let bytesMax = 4_096
    /// The length of a credential's ID, from WebAuthn.
    static let idBytes = 1...1_023

    private static let partyHashBytes = 32
    private static let modelBytes = 16

    /// SHA-256 of the relying party.
    let partyHash: ArraySlice<UInt8>
    let flags: AuthenticatorFlags
    /// How often the authenticator has signed; 0 if it does not count.
    let counter: UInt32
    /// nil if no passkey was created.
    let credential: Credential?

    /// - Throws: ``PasskeyProblem/unreadable``; ``PasskeyProblem/unsupported`` for a key that is not supported.
    init(_ bytes: ArraySlice<UInt8>) throws(PasskeyProblem) {
        guard bytes.count <= Self.bytesMax else { throw .unreadable }
        var rest = bytes
        partyHash = try Self.take(Self.partyHashBytes, from: &rest)
        flags = AuthenticatorFlags(rawValue: Int64(try Self.number(1, from: &rest)))
        counter = try Self.number(4, from: &rest)
        // Only a passkey that may be backed up can be backed up.
        guard flags.contains(.mayBeBackedUp) || !flags.contains(.isBackedUp) else { throw .unreadable }
        credential = flags.contains(.hasCredential) ? try Self.credential(&rest) : nil
        if flags.contains(.hasExtensions) {
            var reader = CBORReader(rest)
            guard try reader.value().members != nil else { throw .unreadable }
            rest = reader.rest
        }
        guard rest.isEmpty else { throw .unreadable }
    }

    private static func credential(_ rest: inout ArraySlice<UInt8>) throws(PasskeyProblem) -> Credential {
        // The model of the authenticator is not used.
        _ = try take(modelBytes, from: &rest)
        let length = Int(try number(2, from: &rest))
        guard idBytes.contains(length) else { throw .unreadable }
        let id = try take(length, from: &rest)
        var reader = CBORReader(rest)
        let key = try reader.value()
        let written = rest.prefix(rest.count - reader.rest.count)
        guard written.count <= COSEKey.bytesMax else { throw .unsupported }
        rest = reader.rest
        return Credential(id: id, writtenKey: written, key: try COSEKey(key))
    }

    private static func take(
        _ count: Int, from rest: inout ArraySlice<UInt8>
    ) throws(PasskeyProblem) -> ArraySlice<UInt8> {
        guard count <= rest.count else { throw .unreadable }
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count)
    }

    private static func number(_ count: Int, from rest: inout ArraySlice<UInt8>) throws(PasskeyProblem) -> UInt32 {
        try take(count, from: &rest).reduce(0) { $0 << 8 | UInt32($1) }
    }
}

/// The state when an authenticator signed.
struct AuthenticatorFlags: OptionSet, Sendable {
    let rawValue: Int64

    /// Somebody was present.
    static let isPresent = AuthenticatorFlags(rawValue: 1)
    /// The person was verified: by fingerprint, face, or PIN.
    static let isVerified = AuthenticatorFlags(rawValue: 4)
    /// The passkey may be copied to other devices of its person; ``isBackedUp`` states whether it has been.
    static let mayBeBackedUp = AuthenticatorFlags(rawValue: 8)
    static let isBackedUp = AuthenticatorFlags(rawValue: 16)
    static let hasCredential = AuthenticatorFlags(rawValue: 64)
    static let hasExtensions = AuthenticatorFlags(rawValue: 128)

    /// The flags that are stored.
    static let noted: AuthenticatorFlags = [.mayBeBackedUp, .isBackedUp]
}
