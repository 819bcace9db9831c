import NephosDelivery
import NephosPost
import Testing

@Suite("Signatures of webhook calls")
struct WebhookSignatureTests {
    private let body = Array(#"{"a":1}"#.utf8)
    private let secret = Array("whsec_test".utf8)

    private func isValid(
        _ header: String, body: [UInt8]? = nil, secret: [UInt8]? = nil, now: Int64 = 1_700_000_000
    ) -> Bool {
        WebhookSignature.isValid(header, body: body ?? self.body, secret: secret ?? self.secret, now: now)
    }

    /// printf '1700000000.{"a":1}' | openssl dgst -sha256 -hmac whsec_test
    private let known = "t=1700000000,v1=38877139021993b830af32feea6e18a8da83eb2f6e49ee50bd9e4cf4ca4d3789"

    @Test("The signature equals what other programs compute")
    func code() {
        #expect(WebhookSignature.header(body: body, secret: secret, time: 1_700_000_000) == known)
        #expect(isValid(known))
    }

    @Test("Another body, secret, time or signature is not valid")
    func wrong() {
        #expect(!isValid(known, body: Array(#"{"a":2}"#.utf8)))
        #expect(!isValid(known, secret: Array("whsec_tess".utf8)))
        #expect(!isValid(known.replacing("t=1700000000", with: "t=1700000001")))
        for position in [0, 31, 63] {
            var digits = Array(known)
            let index = digits.count - 64 + position
            digits[index] = digits[index] == "0" ? "1" : "0"
            #expect(!isValid(String(digits)))
        }
    }

    @Test("A call is valid for five minutes, with clocks that differ in either direction")
    func tolerance() {
        #expect(isValid(known, now: 1_700_000_300) && isValid(known, now: 1_699_999_700))
        #expect(!isValid(known, now: 1_700_000_301) && !isValid(known, now: 1_699_999_699))
        #expect(!isValid(known, now: .max) && !isValid(known, now: .min))
    }

    @Test("Unknown parts are ignored, and one matching signature of several is enough")
    func parts() {
        let code = known.dropFirst("t=1700000000,".count)
        #expect(isValid("t=1700000000,v0=abc,x,\(code)"))
        #expect(isValid("t=1700000000,v1=\(String(repeating: "0", count: 64)),\(code)"))
        #expect(isValid("\(code),t=1700000000"))
    }

    @Test(
        "An invalid signature header is not valid",
        arguments: [
            "", "t=1700000000", "v1=00", "t=,v1=", "t=1700000000,v1=zz", "t=+1700000000,v1=00", ",=,=", "t=1,t=1,v1=0",
        ])
    func rubbish(header: String) {
        #expect(!isValid(header))
    }

    @Test("An empty body is signed too")
    func empty() {
        let header = WebhookSignature.header(body: [], secret: secret, time: 7)
        #expect(isValid(header, body: [], now: 7) && !isValid(header, now: 7))
    }

    @Test("Two times make a header invalid, because one of them was not signed")
    func twoTimes() {
        #expect(!isValid("t=1700000000,\(known)"))
    }
}
