import CloudKitWire

/// The data against which signatures of a passkey are checked, as in ``SignInMethodRow/verifier``. It grants no access.
struct PasskeyVerifier: Sendable, Equatable {
    /// In COSE format, as the authenticator wrote it.
    let key: [UInt8]
    /// As of the last use of the passkey.
    var counter: UInt32
    /// ``AuthenticatorFlags/noted`` at that time.
    var flags: AuthenticatorFlags

    init(key: [UInt8], counter: UInt32, flags: AuthenticatorFlags) {
        (self.key, self.counter) = (key, counter)
        self.flags = flags.intersection(.noted)
    }

    /// - Throws: ``PasskeyProblem/unreadable`` and ``PasskeyProblem/unsupported`` for a key that was not stored by ``text``.
    var signatureKey: SignatureKey {
        get throws(PasskeyProblem) { try SignatureKey(try COSEKey(try CBOR(key[...]))) }
    }

    /// `passkey$KEY$COUNTER$FLAGS`, the key in base64url.
    var text: String { "passkey$\(Base64.text(key, .urlSafe))$\(counter)$\(flags.rawValue)" }

    /// nil if it is not in this form.
    init?(_ text: String) {
        let parts = text.split(separator: "$", omittingEmptySubsequences: false)
        guard parts.count == 4, parts[0] == "passkey", let key = Base64.bytes(exactly: String(parts[1]), .urlSafe),
            let counter = Digits.number(parts[2].utf8, max: Int64(UInt32.max)),
            let flags = Digits.number(parts[3].utf8, max: Int64(UInt8.max))
        else { return nil }
        self.init(key: key, counter: UInt32(counter), flags: AuthenticatorFlags(rawValue: flags))
    }
}
