import CloudKitWire
import NephosStorage
import Testing

@testable import NephosDomain

/// docs/protocol.md, K3 and J14: external numbers, before and after a signature is checked.
@Suite("Numbers in dates and links") struct NumberTests {
    private static let nines = [19, 20, 400, 16_000].map { String(repeating: "9", count: $0) }

    @Test(
        "A fraction of a second can have any number of digits, of which three count",
        arguments: [
            ("", 0), (".0", 0), (".5", 500), (".0629", 62), (".123456", 123), (".9223372036854775807", 922),
            (".9223372036854775808", 922),
        ] + nines.map { (".\($0)", 999) })
    func fractions(fraction: String, milliseconds: Int) {
        #expect(ISO8601.milliseconds("2026-01-02T03:04:05\(fraction)Z") == 1_767_323_045_000 + Int64(milliseconds))
    }

    @Test(
        "A time has Z or an offset, in any form that other programs write",
        arguments: [
            "2026-01-02T03:04:05Z", "2026-01-02t03:04:05z", "2026-01-02 03:04:05Z", "2026-01-02T04:04:05+01:00",
            "2026-01-02T04:04:05+0100", "2026-01-02 04:04:05+01", "2026-01-01T21:34:05-05:30",
            "2026-01-02T03:04:05-00:00", "2026-01-03T03:03:05+23:59",
        ])
    func offsets(text: String) { #expect(ISO8601.milliseconds(text) == 1_767_323_045_000) }

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
            "0000-01-01T00:00:00Z", "2026-02-29T00:00:00Z", "2026-04-31T00:00:00+01:00", "2026-01-01_00:00:00Z",
            "2026-01-01T00:00:00+", "2026-01-01T00:00:00+1", "2026-01-01T00:00:00+1:00", "2026-01-01T00:00:00+01:",
            "2026-01-01T00:00:00+01:0", "2026-01-01T00:00:00+24:00", "2026-01-01T00:00:00+01:60",
            "2026-01-01T00:00:00+01:00Z", "2026-01-01T00:00:00 Z", "2026-01-01T00:00:00*01:00",
        ]) func others(text: String)
    { #expect(ISO8601.milliseconds(text) == nil) }

    @Test("The first and the last year are valid")
    func ends() {
        #expect(ISO8601.milliseconds("0001-01-01T00:00:00Z") == -62_135_596_800_000)
        #expect(ISO8601.milliseconds("9999-12-31T23:59:60.999Z") == 253_402_300_800_999)
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
