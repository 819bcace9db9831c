import CloudKitWire
import Foundation
import Testing

@testable import Audience

/// docs/audiences.md, "Locales". More cases are in docs/vectors/audiences.json, and all tables in docs/vectors/languages.json.
@Suite("Languages") struct LanguageTests {
    private func tag(_ text: String) throws -> LanguageTag { try #require(LanguageTag(text), "\(text)") }

    @Test(
        "A tag covers readers under any code and script by which their devices name their language",
        arguments: [
            // A device that names only a region has the script of that region.
            ("zh-Hant", "zh-TW"), ("zh-Hant", "zh_HK"), ("zh-Hant", "zh-MO"), ("zh-Hans", "zh-CN"), ("zh-Hans", "zh"),
            ("sr-Latn", "sr-ME"), ("sr-Cyrl", "sr-RS"), ("pa-Arab", "pa-PK"), ("en-Latn", "en-US"), ("ja-Jpan", "ja"),
            // Norwegian has three names.
            ("no", "nb-NO"), ("no", "nn-NO"), ("nb", "no"), ("nb", "nn"), ("no", "nob"),
            // Former, longer and narrower codes, on either side.
            ("he", "iw-IL"), ("iw", "he-IL"), ("id", "in_ID"), ("in", "id"), ("yi", "ji"), ("fil", "tl-PH"),
            ("en", "eng"),
            ("de", "ger"), ("zh", "cmn-TW"), ("sr-Latn", "sh"), ("en-GB", "en-UK"), ("ro", "mo"),
            // Wider varieties.
            ("es-419", "es-MX"), ("es-419", "es-US"), ("en-001", "en-GB"), ("en-150", "en-AT"), ("en-001", "en-AT"),
            ("pt-PT", "pt-AO"), ("es", "es-419"),
        ])
    func covered(_ wide: String, _ narrow: String) throws {
        #expect(try tag(wide).covers(tag(narrow)))
    }

    @Test(
        "A tag does not cover readers of another script, variety or language",
        arguments: [
            ("zh-Hans", "zh-TW"), ("zh-Hant", "zh-CN"), ("zh-TW", "zh-HK"), ("zh-TW", "zh-Hant"), ("nn", "nb"),
            ("nn", "no"), ("es-419", "es-ES"), ("es-419", "es"), ("es-MX", "es-419"), ("en-150", "en-GB"),
            ("en-001", "en-US"),
            ("pt-PT", "pt-BR"), ("sr-Latn", "sr-RS"), ("es", "est"), ("en", "enm"), ("no", "da"), ("fr-HT", "ht"),
        ])
    func excluded(_ wide: String, _ narrow: String) throws {
        #expect(try !tag(wide).covers(tag(narrow)))
    }

    @Test("The tables of this code are those in docs/vectors/languages.json")
    func tables() throws {
        let path = URL(filePath: #filePath).appending(path: "../../../docs/vectors/languages.json").standardized
        let file = try #require(try JSONSerialization.jsonObject(with: Data(contentsOf: path)) as? [String: Any])
        let aliases = try #require(file["aliases"] as? [String: String])
        for (code, now) in aliases { #expect(try tag(code).isSame(as: tag(now)), "\(code)") }
        for (code, now) in try #require(file["regions"] as? [String: String]) {
            #expect(try tag("en-\(code)").isSame(as: tag("en-\(now)")), "\(code)")
        }
        var count = 0
        for (script, tags) in try #require(file["scripts"] as? [String: [String]]) {
            for text in tags {
                let plain = try tag(text)
                let named = try tag([plain.language, script, plain.region].compactMap(\.self).joined(separator: "-"))
                #expect(plain.isSame(as: named) && named.covers(plain), "\(text) in \(script)")
                count += 1
            }
        }
        for (parent, tags) in try #require(file["parents"] as? [String: [String]]) {
            for text in tags {
                #expect(try tag(parent).covers(tag(text)) && !tag(text).covers(tag(parent)), "\(parent), \(text)")
                count += 1
            }
        }
        #expect(aliases.count > 400 && count > 1_000)
    }

    @Test(
        "Programs that report the POSIX locale, or nothing, report no language",
        arguments: [
            "", "C", "C.UTF-8", "POSIX", "en_US_POSIX", "en-US-u-va-posix", "en_US_POSIX.UTF-8", "1", "english",
        ])
    func nobodysChoice(text: String) { #expect(LanguageTag(reported: text) == nil) }

    @Test("A reported language may have an encoding, which a condition may not")
    func encodings() throws {
        #expect(LanguageTag(reported: "es_MX.UTF-8") == LanguageTag("es-MX"))
        #expect(LanguageTag(reported: "es_MX.UTF-8@euro") == LanguageTag("es_MX"))
        #expect(
            LanguageTag("es_MX.UTF-8") == nil && LanguageTag(reported: "es.\(String(repeating: "x", count: 64))") == nil
        )
    }

    @Test("A country has its present code, in conditions and in contexts")
    func countries() throws {
        for (said, asked) in [("uk", "GB"), ("GB", "uk"), ("mx", "MX"), ("ZR", "cd")] {
            var (json, reader) = (try json(#"{"country":"\#(asked)"}"#), ConditionReader(salt: ""))
            let condition = try reader.read(&json)
            let context = try context(#"{"country":"\#(said)"}"#)
            #expect(AudienceBook.empty.verdict(of: condition, for: context) == .yes, "\(said) in \(asked)")
        }
    }

    @Test(
        "A condition on languages is certainly narrower only if it covers nobody else",
        arguments: [
            ("es-MX", "es-419", true), ("nn", "no", true), ("iw", "he", true), ("zh-Hant-HK", "zh-Hant", true),
            ("zh-MO", "zh-HK", true),
            // Somebody may read the other script there.
            ("zh-TW", "zh-Hant", false), ("zh", "zh-Hans", false), ("es-419", "es-MX", false),
        ])
    func narrower(_ narrow: String, _ wide: String, _ isSo: Bool) throws {
        let conditions = try [narrow, wide].map { text in
            var (json, reader) = (try json(#"{"locale":"\#(text)"}"#), ConditionReader(salt: ""))
            return try reader.read(&json)
        }
        #expect(conditions[0].implies(conditions[1]) == isSo)
    }
}
