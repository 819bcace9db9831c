import Foundation
import NephosQueries
import NephosStorage
import Testing

@Suite struct TokeniserTests {
    private func tokens(_ text: String) -> [String] {
        Tokeniser.tokens(in: Bytes(text)).map { String(decoding: $0, as: UTF8.self) }
    }

    @Test("Words are runs of letters and digits in lower case, each once")
    func words() {
        #expect(
            tokens("Hello, HELLO world-wide 4x4 don't_stop") == ["hello", "world", "wide", "4x4", "don", "t", "stop"])
        #expect(tokens("").isEmpty)
        #expect(tokens(" ,.!").isEmpty)
        #expect(tokens("😀cat😀") == ["cat"])
    }

    @Test("Stop words are omitted")
    func stopWords() {
        #expect(tokens("The cat is on the mat, and there will be these") == ["cat", "mat"])
        #expect(tokens("to be or not to be").isEmpty)
        #expect(tokens("theirs thee an1") == ["theirs", "thee", "an1"])
    }

    @Test("Case and diacritics are ignored, composed or not")
    func folding() {
        for (text, word) in [
            ("Café", "cafe"), ("Cafe\u{301}", "cafe"), ("ÜBER", "uber"), ("Łódź", "lodz"), ("Smørrebrød", "smorrebrod"),
            ("Straße", "strasse"), ("STRASSE", "strasse"), ("İstanbul", "istanbul"), ("ΣΊΣΥΦΟΣ", "σισυφοσ"),
            ("Σίσυφος", "σισυφοσ"), ("Ёлка", "елка"), ("مُحَمَّد", "محمد"), ("ＡＢＣ１", "abc1"),
            ("\u{212B}ngstr\u{F6}m", "angstrom"),
        ] {
            #expect(tokens(text) == [word], "\(text)")
        }
    }

    @Test("Each ideograph and kana is a word")
    func ideographs() {
        #expect(tokens("日本語abcです") == ["日", "本", "語", "abc", "て\u{3099}", "す"])
        #expect(tokens("が") == tokens("か\u{3099}"))
        #expect(tokens("か") != tokens("が"))
        #expect(tokens("\u{F900}") == ["\u{8C48}"])
    }

    @Test("Syllables of Korean and marks of Indic scripts stay in their words")
    func otherScripts() {
        #expect(tokens("한국어 문서").count == 2)
        #expect(tokens("한국어") == tokens("한국어".decomposedStringWithCanonicalMapping))
        #expect(tokens("हिन्दी में").count == 2)
        #expect(tokens("हिन्दी") != tokens("हन्द"))
    }

    @Test("Words are truncated after 64 bytes, between characters")
    func longWords() {
        let long = String(repeating: "x", count: 64)
        #expect(tokens(long + "y" + " z") == [long, "z"])
        #expect(tokens(long) == tokens(long + "more"))
        #expect(tokens(String(repeating: "x", count: 63) + "я" + "x") == [String(repeating: "x", count: 63)])
    }

    @Test("Invalid UTF-8 is accepted")
    func damage() {
        for bytes: [UInt8] in [[0xFF], [0xE3, 0x81], [0x61, 0xC3], [0xF0, 0x9F], [0x80, 0x61]] {
            for token in Tokeniser.tokens(in: bytes[...]) { #expect(token.count <= 64) }
        }
    }
}
