import CloudKitWire
import NephosRunner
import NephosStorage

extension Passkeys {
    /// How long a browser waits for its person; shorter than the lifetime of a challenge.
    private static let timeout: Milliseconds = PasskeyChallenge.lifetime - 30_000

    /// The options with which ``PasskeyScript`` uses a passkey: JSON for the form's `data-passkey`, valid on this page for five
    /// minutes.
    ///
    /// They name no passkey, so the page reveals nothing, and the browser offers those that it has.
    func optionsOfUse(on page: PasskeyPage, _ randomSource: RandomSource) -> String {
        json { json in
            json.member("challenge", PasskeyChallenge(to: .use, on: page, randomSource).text)
            json.member("rpId", party.host)
            json.member("userVerification", "required")
            json.member("timeout", Self.timeout)
        }
    }

    /// The options with which ``PasskeyScript`` creates a passkey for an account. May block.
    ///
    /// - Throws: ``PasskeyProblem/tooMany``.
    func creationOptions(for account: AccountRow, on page: PasskeyPage, _ randomSource: RandomSource) throws -> String {
        let known = try directory.rows(SignInMethodRow.passkeys(of: account.id))
        guard known.count < Self.countMax else { throw PasskeyProblem.tooMany }
        let page = page.of(account.id)
        let name = [account.givenName, account.familyName].filter { !$0.isEmpty }.joined(separator: " ")
        return json { json in
            json.member("challenge", PasskeyChallenge(to: .make, on: page, randomSource).text)
            json.key("rp")
            json.beginObject()
            json.member("id", party.host)
            json.member("name", party.host)
            json.endObject()
            json.key("user")
            json.beginObject()
            json.member("id", Base64.text(Array(account.id.utf8), .urlSafe))
            json.member("name", account.shownEmail)
            json.member("displayName", name.isEmpty ? account.shownEmail : name)
            json.endObject()
            json.key("pubKeyCredParams")
            Self.list(COSEKey.algorithms, in: &json) { algorithm, json in json.member("alg", algorithm) }
            json.key("excludeCredentials")
            Self.list(known, in: &json) { row, json in json.member("id", Base64.text(row.id, .urlSafe)) }
            json.key("authenticatorSelection")
            json.beginObject()
            json.member("residentKey", "required")
            json.member("requireResidentKey", true)
            json.member("userVerification", "required")
            json.endObject()
            json.member("attestation", "none")
            json.member("timeout", Self.timeout)
        }
    }

    private func json(_ write: (inout JSONWriter) -> Void) -> String {
        var json = JSONWriter()
        json.beginObject()
        write(&json)
        json.endObject()
        return String(decoding: json.bytes, as: UTF8.self)
    }

    /// An array of objects, each for a public key.
    private static func list<Item>(
        _ items: [Item], in json: inout JSONWriter, _ write: (Item, inout JSONWriter) -> Void
    ) {
        json.beginArray()
        for item in items {
            json.beginObject()
            json.member("type", "public-key")
            write(item, &json)
            json.endObject()
        }
        json.endArray()
    }
}
