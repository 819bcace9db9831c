import CloudKitWire
import Crypto
import NephosTesting
import Testing

@testable import NephosPeople

/// Credentials and signatures created by Chromium's virtual authenticator at http://localhost, as the page received them:
/// independent of the code that parses them here.
@Suite("Passkeys created by Chromium") struct ChromiumPasskeyTests {
    struct Recorded: Sendable, CustomTestStringConvertible {
        let algorithm: String
        /// In hexadecimal.
        let id, object, authenticator, signature: String
        let made, used: String

        var testDescription: String { algorithm }
    }

    @Test(
        "The attestation object is read, and the signature covers the data of the page and the authenticator",
        arguments: recorded)
    func read(_ recorded: Recorded) throws {
        func bytes(_ text: String) throws -> [UInt8] { try #require(Hexadecimal.bytes(text)) }
        let data = try AttestationObject(bytes(recorded.object)[...]).authenticator
        let made = try #require(data.credential)
        #expect(try made.id.elementsEqual(bytes(recorded.id)))
        let authenticator = try bytes(recorded.authenticator)
        let use = try AuthenticatorData(authenticator[...])
        for said in [data, use] {
            #expect(said.partyHash.elementsEqual(RelyingParty.local.hash))
            #expect(said.flags.isSuperset(of: [.isPresent, .isVerified]))
        }
        #expect(data.counter == 1 && use.counter == 2 && use.credential == nil)
        for (text, kind) in [(recorded.made, ClientData.Kind.make), (recorded.used, .use)] {
            let client = try ClientData(Array(text.utf8)[...])
            #expect(client.kind == kind && client.challenge == "AAECAw" && !client.isCrossOrigin)
            #expect(WebOrigin(client.origin)?.host == "localhost")
        }
        let key = try SignatureKey(made.key)
        let signed = authenticator + Array(SHA256.hash(data: Array(recorded.used.utf8)))
        #expect(try key.accepts(bytes(recorded.signature), over: signed))
        #expect(try !key.accepts(bytes(recorded.signature), over: signed + [0]))
    }

    private static let recorded = [
        Recorded(
            algorithm: "es256",
            id: "aa1bfd64369bf73cd91406f1f2bdc2026722b56727c019d25c13af5ae25ed01d",
            object: """
                a363666d74646e6f6e656761747453746d74a068617574684461746158a449960de5880e8c687434170f6476605b8fe4aeb9a286\
                32c7995cf3ba831d97634500000001010203040506070801020304050607080020aa1bfd64369bf73cd91406f1f2bdc2026722b5\
                6727c019d25c13af5ae25ed01da5010203262001215820aeb4d20e1a3b7fcdc7ff9d7505526a1287192af473153a71b86e111f90\
                262ce522582066f5799add7ae93ceec0995ad3bea96d570fe9d7e704811f21e1b40b466cdd09
                """,
            authenticator: "49960de5880e8c687434170f6476605b8fe4aeb9a28632c7995cf3ba831d97630500000002",
            signature: """
                304502202c3e237fb980a9d6adebd7bc42f13efe451c4c3b6efba04f4f01936669025281022100c0cf36e3676128a78e7bbad4c9\
                5764b2069422eed1a14746de077faf145e2e8d
                """,
            made:
                #"{"type":"webauthn.create","challenge":"AAECAw","origin":"http://localhost:41341","crossOrigin":false}"#,
            used: #"{"type":"webauthn.get","challenge":"AAECAw","origin":"http://localhost:41341","crossOrigin":false}"#
        ),
        Recorded(
            algorithm: "ed25519",
            id: "23fb5329146e4704052158aa7bf00db0020ec31416432ec31d510872c8600a62",
            object: """
                a363666d74646e6f6e656761747453746d74a0686175746844617461588149960de5880e8c687434170f6476605b8fe4aeb9a286\
                32c7995cf3ba831d9763450000000101020304050607080102030405060708002023fb5329146e4704052158aa7bf00db0020ec3\
                1416432ec31d510872c8600a62a40101032720062158200788a8d9e6c9603ce8c245ab39031829fa47e67321c560a35b1aedc79e\
                956067
                """,
            authenticator: "49960de5880e8c687434170f6476605b8fe4aeb9a28632c7995cf3ba831d97630500000002",
            signature: """
                7dccb26b5be0ddfd7edffe9083881171087d24f548837060d251e53820189b432f392b8ed7928921b06a388516a565a0ae2e79fa\
                43647ee84382df57bfdf930e
                """,
            made:
                #"{"type":"webauthn.create","challenge":"AAECAw","origin":"http://localhost:41341","crossOrigin":false}"#,
            used: #"{"type":"webauthn.get","challenge":"AAECAw","origin":"http://localhost:41341","crossOrigin":false}"#
        ),
        Recorded(
            algorithm: "rs256",
            id: "ecb7e1053d9e32b034811054e87d7de8252acd609e6063244014a96388183b94",
            object: """
                a363666d74646e6f6e656761747453746d74a068617574684461746159016749960de5880e8c687434170f6476605b8fe4aeb9a2\
                8632c7995cf3ba831d97634500000001010203040506070801020304050607080020ecb7e1053d9e32b034811054e87d7de8252a\
                cd609e6063244014a96388183b94a401030339010020590100a5d8557cafb5e2a7864d1a4c7bbf7c39b3daaf97df4f1013f90242\
                ee5ef0eb21f7b99aff95e1c880cd5b1916f70056185013a06903c73b74644eb134fdad87079e5303d676b6c9677b55a72995f63f\
                546d6c5b201c5ace15471cb22a9ec4d77f576797adebbe621c7c72adae328772fd8bf07858c26757af02852d37aaeac478c799b1\
                b1d3a57a009cf86ec81b85a1d8adf4eedd8a89f27c10928707a8310abc45e2840aad46dfaae92477295897cf19356ef72a4d2306\
                40ca4876b8c90517a508aceb92449ffebba239f35fee4b109b02fffd1f6494a6a002b73265f0c15fc2dc6cdeb714e5a5d0dcc283\
                44d5cb0f5529c98ad4ababca58f82b7b9356197e5f2143010001
                """,
            authenticator: "49960de5880e8c687434170f6476605b8fe4aeb9a28632c7995cf3ba831d97630500000002",
            signature: """
                68d30f81ac4916a5a49017687c5b0f40bd38b0e1183ae7343b7f8c7b9ddbc9477f994687d26402a13c8439d1538d0be8c6faad39\
                a500c36f078e4ff53ef53c2f026d1d3206ba647818d3a7a7db72fe4e056d759f1252ddea6a06227c40b9d89e120fb7ac53450eda\
                dcd7a610aa2ccaf954b5ab02721149c58ddbb40de274e4a5de6b813ed06be7965c9123d30ef59449604cb58636ff2aa59cdedad1\
                f6d72cf25f1cac876e276a3beb09d7eb705a38049769413c8ee7e09e504ea93056ff872561969d6ef6029bfc23e97bf29d49c657\
                88503a01539b56a617fc9e0eb1c82a94ccf335b4a83066dcb689f8fb61fcd06852ab1387196c315c79efecc1df4e630e
                """,
            made:
                #"{"type":"webauthn.create","challenge":"AAECAw","origin":"http://localhost:41341","crossOrigin":false}"#,
            used: #"{"type":"webauthn.get","challenge":"AAECAw","origin":"http://localhost:41341","crossOrigin":false}"#
        ),
    ]
}
