import CloudKitWire
import NephosStorage
import Testing

@testable import NephosDomain

/// docs/protocol.md, K3 and J14: external numbers, before and after a signature is checked.
@Suite("Numbers in dates and links") struct NumberTests {
    private static let nines = [19, 20, 400, 16_000].map { String(repeating: "9", count: $0) }

    @Test(
        "A fraction of a second can have any number of digits, and is ignored",
        arguments: ["", ".0", ".5", ".123456", ".9223372036854775807", ".9223372036854775808"] + nines.map { ".\($0)" })
    func fractions(fraction: String) {
        #expect(ISO8601.milliseconds("2026-01-02T03:04:05\(fraction)Z") == 1_767_323_045_000)
    }

    @Test(
        "Rejects invalid dates",
        arguments: [
            "", "Z", "2026-01-01T00:00:00", "2026-01-01T00:00:00.Z", "2026-01-01T00:00:00.1.1Z",
            "2026-01-01T00:00:00.-1Z", "2026-01-01T00:00:00.+1Z", "2026-01-01T00:00:00.1e400Z",
            "2026-01-01T00:00:00.٣Z", "2026-01-01T00:00:00.\(String(repeating: "9", count: 19))xZ",
            "2026-01-01T00:00:00,5Z", "2026-00-01T00:00:00Z", "2026-13-01T00:00:00Z", "2026-01-00T00:00:00Z",
            "2026-01-32T00:00:00Z", "2026-01-01T24:00:00Z", "2026-01-01T00:60:00Z", "2026-01-01T00:00:61Z",
            "+026-01-01T00:00:00Z", "-026-01-01T00:00:00Z", "2026-+1-01T00:00:00Z", "2026-01-01T-1:00:00Z",
            "٢٠-01-01T00:00:00Z", "9223372036854775807-01-01T00:00:00Z", "99999-01-01T00:00:00Z",
        ]) func others(text: String)
    { #expect(ISO8601.milliseconds(text) == nil) }

    @Test("The first and the last year are valid")
    func ends() {
        #expect(ISO8601.milliseconds("0001-01-01T00:00:00Z") == -62_135_596_800_000)
        #expect(ISO8601.milliseconds("9999-12-31T23:59:60.999Z") == 253_402_300_800_000)
    }

    @Test("A link is read only to its end, whatever length it states", arguments: [Int64.max, .min, -1, 1_000, 4])
    func lengths(length: Int64) {
        let key = [UInt8](repeating: 7, count: 32)
        var content = TokenContent()
        for number: Int64 in [1, 1, 0, .max, 0] { content.append(number) }
        content.append(UserID.server)
        content.append(length)
        let bytes = content.bytes + [UInt8](repeating: 9, count: AssetRow.addressBytes) + Array("name".utf8)
        let text = SealedToken.sealInURL(bytes, for: .download, key: key)
        #expect(throws: Refusal.self) { try DownloadLink(text, key: key, now: 0) }
    }
}
