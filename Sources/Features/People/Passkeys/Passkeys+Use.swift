import Crypto
import Foundation
import NephosRunner
import NephosStorage

extension Passkeys {
    /// What a browser sends after its person has used a passkey.
    struct AssertionResponse: Sendable {
        /// ID of the credential.
        var id: [UInt8]
        /// ID of the account for which the passkey was created.
        var user: [UInt8]
        /// ``ClientData``.
        var client: [UInt8]
        /// ``AuthenticatorData``.
        var authenticator: [UInt8]
        var signature: [UInt8]
    }

    private static let day: Milliseconds = 86_400_000

    /// Verifies a passkey's signature of the page's challenge, which is accepted once.
    ///
    /// - Parameter page: The same as for ``optionsOfUse(on:_:)``.
    /// - Returns: The ID of the account.
    /// - Throws: ``PasskeyProblem``; nobody is signed in then, and nothing is stored.
    func signIn(_ used: AssertionResponse, on page: PasskeyPage) throws -> String {
        let challenge = try challenge(of: used.client, to: .use, on: page)
        let data = try AuthenticatorData(used.authenticator[...])
        try check(data)
        guard let account = Self.account(used.user), AuthenticatorData.idBytes.contains(used.id.count) else {
            throw PasskeyProblem.unknown
        }
        let scan = SignInMethodRow.passkey(used.id, of: account)
        guard let row = try directory.rows(scan).first, let stored = PasskeyVerifier(row.verifier),
            try stored.signatureKey.accepts(
                used.signature, over: used.authenticator + Array(SHA256.hash(data: used.client))),
            // This flag never changes over the life of a passkey.
            stored.flags.contains(.mayBeBackedUp) == data.flags.contains(.mayBeBackedUp)
        else { throw PasskeyProblem.unknown }
        try note(data, stored.key, scan, challenge.once, on: page)
        return account
    }

    /// Spends the challenge and records the passkey's counter, in one commit.
    private func note(
        _ data: AuthenticatorData, _ key: [UInt8], _ scan: Scan<SignInMethodRow>, _ once: OneTimeValue,
        on page: PasskeyPage
    ) throws {
        var set = ReadSet()
        set.ask(scan)
        try once.commit(to: directory, set) { reading in
            var writes = WriteSet()
            guard once.spend(reading, &writes) else { throw PasskeyProblem.expired }
            // It may have been removed since its signature was checked.
            guard let old = reading[scan].first, let stored = PasskeyVerifier(old.verifier), stored.key == key else {
                throw PasskeyProblem.unknown
            }
            guard data.counter > stored.counter || data.counter == 0 && stored.counter == 0 else {
                throw PasskeyProblem.cloned
            }
            var new = old
            new.verifier = PasskeyVerifier(key: key, counter: data.counter, flags: data.flags).text
            // Rounded to the day, so that most sign-ins do not write this row.
            new.usedAt = page.now - page.now % Self.day
            if new != old { writes.put(new, replacing: old) }
            return .write(writes, ())
        }
    }

    /// The account ID; nil if it is not in the form of one.
    private static func account(_ user: [UInt8]) -> String? {
        guard let text = String(validating: user, as: UTF8.self), UUID(uuidString: text)?.uuidString == text else {
            return nil
        }
        return text
    }
}
