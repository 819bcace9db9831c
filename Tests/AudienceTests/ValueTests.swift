import Audience
import Testing

/// docs/audiences.md, "Versions", "Locales", "Times".
@Suite("Values of conditions") struct ValueTests {
    @Test("Versions are ordered as in Semantic Versioning; omitted parts count as 0")
    func order() throws {
        let ordered = [
            "0.9", "1-alpha", "1-alpha.1", "1-alpha.beta", "1-beta", "1-beta.2", "1-beta.11", "1-rc.1", "1", "1.0.0.1",
            "1.2",
            "1.10", "2",
        ].map { Version($0) }
        for (place, version) in ordered.enumerated() {
            let version = try #require(version)
            for other in ordered[..<place] { #expect(try #require(other) < version) }
        }
        #expect(Version("1") == Version("1.0.0+build.5"))
        // As releases are often named.
        #expect(Version("v2.5-beta.2") == Version("2.5-beta.2") && Version("V17") == Version("17"))
        #expect(try #require(VersionRange(">=v2.3 <V3")).contains(try #require(Version("v2.10"))))
    }

    @Test("Numbers in a suffix are compared by value, whatever their length and spelling")
    func suffixes() throws {
        let ordered = ["1-0", "1-9", "1-99999999999999999999", "1-100000000000000000000", "1--0", "1-a"]
            .map { Version($0) }
        for (place, version) in ordered.enumerated() {
            let version = try #require(version)
            for other in ordered[..<place] { #expect(try #require(other) < version) }
        }
        #expect(Version("1-beta.02") == Version("1-beta.2") && Version("1-beta.000") == Version("1-beta.0"))
        #expect(try #require(VersionRange("1-beta.02")).contains(try #require(Version("1-beta.2"))))
    }

    @Test(
        "Rejects invalid versions",
        arguments: [
            "", "1..2", ".1", "1.", "v", "vv2", "v-1", "2.x", "1.2.3.4.5", "1-", "1-a..b", "1 2", "-1", "9999999999",
            "1.²", "١",
            String(repeating: "1", count: 65),
        ])
    func noVersion(_ text: String) { #expect(Version(text) == nil) }

    @Test(
        "A range matches the versions that it describes",
        arguments: [
            (">=2.3 <3", ["2.3", "2.3.1", "2.10", "3-beta"], ["2.2.9", "3", "3.0.1", "2.3-rc"]),
            ("17", ["17", "17.0.1", "17.4"], ["16.9", "18", "18-beta", "17-beta"]),
            ("=2.3.1", ["2.3.1"], ["2.3", "2.3.2"]),
            (">17", ["18", "18-beta"], ["17.9", "17"]),
            ("<=17", ["17.9", "16"], ["18", "18-beta"]),
            (">2.3.1", ["2.3.2"], ["2.3.1", "2.3.1.1"]),
            ("< 1.9||>= 2.3", ["1.8", "2.3"], ["1.9", "2.2"]),
            (">=1 >=2 <5 <4", ["2", "3.9"], ["1.9", "4"]),
            (">=2.0-beta.2", ["2.0-beta.2", "2.0-beta.10", "2"], ["2.0-beta.1", "1"]),
            ("2.0-beta.2", ["2.0-beta.2"], ["2.0-beta.3", "2"]),
        ])
    func range(_ text: String, _ inside: [String], _ outside: [String]) throws {
        let range = try #require(VersionRange(text))
        for version in inside { #expect(range.contains(try #require(Version(version))), "\(version)") }
        for version in outside { #expect(!range.contains(try #require(Version(version))), "\(version)") }
    }

    @Test(
        "Rejects invalid ranges",
        arguments: ["", " ", ">=", ">= <3", "1..2", "=>2", "2 || ", "<>3", ">=2,<3", "^2", "~2"])
    func noRange(_ text: String) { #expect(VersionRange(text) == nil) }

    @Test(
        "A locale matches more specific locales",
        arguments: [
            ("es", "es-MX", true), ("es", "es_MX", true), ("ES", "es", true), ("es-MX", "es", false),
            ("es-MX", "es-ES", false),
            ("zh-TW", "zh-Hant-TW", true), ("zh-Hant", "zh-Hant-TW", true), ("zh-Hant", "zh-TW", true),
            ("en", "en_US@rg=gbzzzz", true), ("es-419", "es-419", true), ("es", "est", false), ("sl", "sl-rozaj", true),
        ])
    func locale(_ wide: String, _ narrow: String, _ covers: Bool) throws {
        #expect(try #require(LanguageTag(wide)).covers(#require(LanguageTag(narrow))) == covers)
    }

    @Test(
        "Rejects invalid locales",
        arguments: ["", "e", "xx_", "es-", "-MX", "es--MX", "1s", "es MX", "español", "abcd"])
    func noLocale(_ text: String) { #expect(LanguageTag(text) == nil) }

    @Test(
        "Moments are written in UTC, with an offset, or in local time",
        arguments: [
            ("1970-01-01T00:00:00Z", 0), ("2027-03-07T08:00:00.250Z", 1_804_406_400_250),
            ("2027-03-07T09:00:00+01:00", 1_804_406_400_000), ("2027-03-06T22:30:00.25-09:30", 1_804_406_400_250),
            ("2027-03-07 13:45:00+0545", 1_804_406_400_000), ("2027-03-07t08:00:00z", 1_804_406_400_000),
            ("2027-03-07 00:00 America/Los_Angeles", 1_804_406_400_000), ("2024-02-29 24:00 UTC", 1_709_251_200_000),
            // Clocks are set forward at 2:00: skipped times mean that moment.
            ("2027-03-28 02:30 Europe/Berlin", 1_806_195_600_000),
            ("2027-03-28 03:00 Europe/Berlin", 1_806_195_600_000),
            ("2027-03-28 01:59 Europe/Berlin", 1_806_195_540_000),
            // They are set back at 3:00: repeated times mean the first occurrence.
            ("2027-10-31 02:30 Europe/Berlin", 1_824_942_600_000),
            ("2027-10-31 03:00 Europe/Berlin", 1_824_948_000_000),
        ] as [(String, Int64)])
    func moments(_ text: String, _ milliseconds: Int64) { #expect(moment(text) == milliseconds) }

    @Test(
        "Rejects invalid moments",
        arguments: [
            "", "2027", "2027-02-30T00:00:00Z", "2027-13-01 00:00 UTC", "2027-02-29 00:00 UTC", "2027-03-07 24:01 UTC",
            "2027-03-07 9:00 UTC", "2027-03-07 09:00 Europe/Nowhere", "2027-03-07 09:00 CET", "2027-03-07 09:00",
            "2027-03-07T08:00:00", "2027-03-07  09:00 UTC", "2027-02-30T00:00:00+01:00", "2027-03-07T08:00:00+24:00",
            "2027-03-07T08:00:00+01:00 Europe/Berlin", "2027-03-07T08:00:00 +01:00",
        ])
    func noMoment(_ text: String) { #expect(Moment.milliseconds(text) == nil) }
}
