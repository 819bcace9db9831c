import CloudKitWire
import Crypto
import NephosAdmin
import NephosRunner
import NephosStorage
import NephosTesting
import RequestTesting
import Testing

/// docs/flags.md, "Proved facts".
@Suite("Proved facts") struct FactTests {
    private struct Prover {
        let own: FlagCloud
        let key = P256.Signing.PrivateKey()
        let id: String
        let person: String

        init() async throws {
            own = try await FlagCloud(audiences: #"{"subscribers":{"fact":{"subscriber":true}}}"#)
            id = try await own.cloud.administration.registerServerKey(
                in: SmallCloud.tenant, publicKeyPEM: key.publicKey.pemRepresentation)
            let target = "/database/1/\(SmallCloud.container)/development/public/users/caller"
            let caller = try JSON(reading: own.ask("GET", target, "", as: .person).body)
            person = try #require(caller["userRecordName"].string)
            let rules = #"[{"id":"s","when":{"audience":"subscribers"},"serve":"on"}]"#
            #expect(try own.save([FlagCloud.boolean("a", ["rules": rules, "defaultVariant": "off"])]) == [""])
        }

        var hour: Int64 { own.cloud.inputs.now / 1_000 + 3_600 }

        func claims(
            audience: String = "\(SmallCloud.container)/development", subject: String? = nil, expires: Int64? = nil,
            facts: String = #"{"subscriber":true}"#
        ) -> String {
            #"{"aud":"\#(audience)","sub":"\#(subject ?? person)","facts":\#(facts),"exp":\#(expires ?? hour)}"#
        }

        func proof(_ claims: String, header: String? = nil, by other: P256.Signing.PrivateKey? = nil) throws -> String {
            let header = header ?? #"{"alg":"ES256","kid":"\#(id)"}"#
            let text = [header, claims].map { Base64.text(Array($0.utf8), .urlSafe) }.joined(separator: ".")
            let signature = try (other ?? key).signature(for: Array(text.utf8))
            return text + "." + Base64.text(Array(signature.rawRepresentation), .urlSafe)
        }

        func evaluate(_ proof: String, as caller: SmallCloud.Caller = .person) throws -> (status: Int, json: JSON) {
            let (answer, json) = try own.evaluate("a", headers: [("X-Nephos-Facts", proof)], as: caller)
            return (answer.status, json)
        }
    }

    @Test("A fact that a server key signed for a person counts for them, and an app's claim of the same name does not")
    func proved() async throws {
        let prover = try await Prover()
        let proved = try prover.evaluate(prover.proof(prover.claims()))
        #expect(proved.status == 200 && proved.json["variant"].string == "on" && proved.json["metadata"]["rule"] == "s")
        let said = try prover.own.evaluate("a", #"{"subscriber":true,"facts":{"subscriber":true}}"#, as: .person).json
        #expect(said["variant"].string == "off")
        let other = try prover.evaluate(prover.proof(prover.claims(facts: #"{"subscriber":false}"#)))
        #expect(other.json["variant"].string == "off")
    }

    @Test("An invalid proof is an error with the reason, and proves nothing")
    func forged() async throws {
        let prover = try await Prover()
        let now = prover.own.cloud.inputs.now / 1_000
        let good = try prover.proof(prover.claims())
        let cases: [(proof: String, caller: SmallCloud.Caller, reason: String)] = [
            (try prover.proof(prover.claims(), by: P256.Signing.PrivateKey()), .person, "its signature does not match"),
            (good.replacing(".", with: ""), .person, "it is not a JWS"), (good + ".x", .person, "it is not a JWS"),
            (try prover.proof(prover.claims(), header: #"{"alg":"none"}"#), .person, "must be signed with ES256"),
            (
                try prover.proof(prover.claims(), header: #"{"alg":"HS256","kid":"\#(prover.id)"}"#), .person,
                "must be signed with ES256"
            ),
            (
                try prover.proof(prover.claims(), header: #"{"alg":"ES256","kid":"\#(prover.id)","crit":["b64"]}"#),
                .person,
                "must be signed with ES256"
            ),
            (try prover.proof(prover.claims(), header: #"{"alg":"ES256","kid":"x"}"#), .person, "kid is not a key"),
            (try prover.proof(prover.claims(audience: "iCloud.other/development")), .person, "aud names another"),
            (
                try prover.proof(prover.claims(audience: "\(SmallCloud.container)/production")), .person,
                "aud names another"
            ),
            (good, .friend, "sub is not"), (good, .app, "sub is not"),
            (try prover.proof(prover.claims(expires: now)), .person, "exp is missing or in the past"),
            (try prover.proof(prover.claims(expires: now + 86_461)), .person, "exp is more than 24 hours"),
            (try prover.proof(prover.claims(facts: #"{"a":[1]}"#)), .person, "expected true, false"),
            (try prover.proof("{"), .person, "ends too early"),
            (String(repeating: "a", count: 8_193), .person, "8192 bytes"),
        ]
        for (proof, caller, reason) in cases {
            let answer = try prover.evaluate(proof, as: caller)
            let said = answer.json["errorDetails"].string ?? ""
            #expect(answer.status == 400 && answer.json["errorCode"] == "INVALID_CONTEXT" && answer.json["key"] == "a")
            #expect(said.hasPrefix("X-Nephos-Facts: ") && said.contains(reason), "\(said) where \(reason) was expected")
        }
        #expect(try prover.evaluate(good).status == 200)
        try await prover.own.cloud.administration.revoke(.key, prover.id, in: SmallCloud.tenant)
        #expect(try prover.evaluate(good).status == 400)
    }

    @Test("A flag is targeted by language, system, device, version, role, share of people and custom facts (S0-36)")
    func aimed() async throws {
        let prover = try await Prover()
        let own = prover.own
        _ = try await own.cloud.administration.assignRole(
            "Admin", to: "ada@example.org", in: SmallCloud.container, [.development])
        let proof = [("X-Nephos-Facts", try prover.proof(prover.claims(facts: #"{"plan":"pro"}"#)))]
        let cases: [(when: String, fits: String, misses: String)] = [
            (#"{"locale":"es"}"#, #"{"locale":"es-MX"}"#, #"{"locale":"en"}"#),
            (#"{"platform":"iOS"}"#, #"{"platform":"ios"}"#, #"{"platform":"web"}"#),
            (#"{"os":">=17"}"#, #"{"osVersion":"17.4"}"#, #"{"osVersion":"16.9"}"#),
            (#"{"device":"iPad"}"#, #"{"device":"iPad"}"#, #"{"device":"iPhone"}"#),
            (#"{"app":">=2.3 <3"}"#, #"{"appVersion":"2.3.1"}"#, #"{"appVersion":"3.0"}"#),
            (#"{"percent":50}"#, #"{"targetingKey":"d2"}"#, #"{"targetingKey":"d6"}"#),
            (#"{"claim":{"plan":"trial"}}"#, #"{"plan":"trial"}"#, #"{"plan":"pro"}"#),
        ]
        for (place, (when, fits, misses)) in cases.enumerated() {
            let rules = #"[{"when":\#(when),"serve":"on"}]"#
            #expect(try own.save([FlagCloud.boolean("f\(place)", ["rules": rules, "defaultVariant": "off"])]) == [""])
            #expect(try own.evaluate("f\(place)", fits).json["value"] == true, "\(when)")
            #expect(try own.evaluate("f\(place)", misses).json["value"] == false, "\(when)")
        }
        for (id, when) in [("role", #"{"role":"Admin"}"#), ("fact", #"{"fact":{"plan":["pro","team"]}}"#)] {
            let rules = #"[{"when":\#(when),"serve":"on"}]"#
            #expect(try own.save([FlagCloud.boolean(id, ["rules": rules, "defaultVariant": "off"])]) == [""])
            #expect(try own.evaluate(id, headers: proof, as: .person).json["value"] == true, "\(when)")
            #expect(try own.evaluate(id, as: .friend).json["value"] == false, "\(when)")
        }
    }

    @Test("A response with a fact has another tag, and is not kept once the person lost the fact")
    func tags() async throws {
        let prover = try await Prover()
        let proof = try prover.proof(prover.claims())
        let (first, _) = try prover.own.evaluate(headers: [("X-Nephos-Facts", proof)], as: .person)
        let tag = try #require(first.header("ETag"))
        let same = try prover.own.evaluate(headers: [("X-Nephos-Facts", proof), ("If-None-Match", tag)], as: .person)
        #expect(same.answer.status == 304)
        #expect(try prover.own.evaluate(headers: [("If-None-Match", tag)], as: .person).answer.status == 200)
        prover.own.cloud.inputs.now += 3_600_000
        let late = try prover.own.evaluate(headers: [("X-Nephos-Facts", proof), ("If-None-Match", tag)], as: .person)
        #expect(late.answer.status == 400)
    }
}
