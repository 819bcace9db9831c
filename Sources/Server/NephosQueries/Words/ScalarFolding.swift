// Only here: the standard library does not decompose characters.
import Foundation

/// The tokenizer's result for one non-ASCII Unicode scalar.
struct FoldedScalar {
    enum Kind: UInt8 {
        /// Separates words.
        case separator
        /// Ignored: a diacritic, a format character.
        case nothing
        /// A letter, a digit, or a mark that belongs to its letter.
        case letter
        /// A mark that belongs to the preceding character, including kana.
        case mark
        /// A word of its own: an ideograph, a kana.
        case ownWord
    }

    var kind: Kind
    /// UTF-8 without case and diacritics.
    var bytes: [UInt8]
}

enum ScalarFolding {
    /// The alphabets, computed for the first text that needs them.
    private static let alphabets = (0..<0x2000).map { Unicode.Scalar($0).map(computed) }
    private static let kana = (0x3040..<0x3100).map { Unicode.Scalar($0).map(computed) }

    static func fold(_ scalar: Unicode.Scalar) -> FoldedScalar {
        switch scalar.value {
        case 0..<0x2000: alphabets[Int(scalar.value)] ?? computed(scalar)
        case 0x3040..<0x3100: kana[Int(scalar.value) - 0x3040] ?? computed(scalar)
        case 0x3400..<0x4DC0, 0x4E00..<0xA000: FoldedScalar(kind: .ownWord, bytes: Array(String(scalar).utf8))
        default: computed(scalar)
        }
    }

    private static func computed(_ scalar: Unicode.Scalar) -> FoldedScalar {
        let kind = kind(of: scalar)
        guard kind != .separator, kind != .nothing else { return FoldedScalar(kind: kind, bytes: []) }
        var bytes: [UInt8] = []
        for base in decomposed(narrow(scalar)) {
            let bare = String(withoutStroke(base))
            // Converting back and forth unifies what one direction alone does not: ß and SS, both small sigmas, both small i.
            for part in bare.uppercased().unicodeScalars.flatMap({ decomposed($0) }) {
                for small in part.properties.lowercaseMapping.unicodeScalars.flatMap({ decomposed($0) })
                where self.kind(of: small) != .nothing {
                    bytes.append(contentsOf: String(small).utf8)
                }
            }
        }
        return FoldedScalar(kind: bytes.isEmpty ? .nothing : kind, bytes: bytes)
    }

    private static func kind(of scalar: Unicode.Scalar) -> FoldedScalar.Kind {
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .letterNumber:
            isOwnWord(scalar) ? .ownWord : .letter
        case .decimalNumber: .letter
        case .nonspacingMark, .spacingMark, .enclosingMark: isDiacritic(scalar) ? .nothing : .mark
        case .format: .nothing
        default: .separator
        }
    }

    private static func isOwnWord(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.properties.isIdeographic { return true }
        switch scalar.value {
        case 0x3040..<0x3100, 0x31F0..<0x3200, 0xFF66..<0xFFA0, 0x1B000..<0x1B170: return true
        default: return false
        }
    }

    /// Accents of Latin, Greek and Cyrillic, vowel points of Hebrew and Arabic. In other scripts marks are vowels or form another
    /// letter.
    private static func isDiacritic(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x0300...0x036F, 0x0483...0x0489, 0x0591...0x05C7, 0x0610...0x061A, 0x064B...0x065F, 0x0670,
            0x06D6...0x06ED, 0x1AB0...0x1AFF, 0x1DC0...0x1DFF, 0x20D0...0x20FF, 0xFE00...0xFE0F, 0xFE20...0xFE2F:
            true
        default: false
        }
    }

    /// Full-width forms are the same letters in a wider form.
    private static func narrow(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        guard (0xFF01...0xFF5E).contains(scalar.value) else { return scalar }
        return Unicode.Scalar(scalar.value - 0xFEE0) ?? scalar
    }

    /// A stroke through a letter is a diacritic that Unicode does not decompose.
    private static func withoutStroke(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        switch scalar {
        case "ø", "Ø": "o"
        case "ł", "Ł": "l"
        case "đ", "Đ": "d"
        case "ħ", "Ħ": "h"
        case "ŧ", "Ŧ": "t"
        default: scalar
        }
    }

    /// Canonical decomposition, without diacritics.
    private static func decomposed(_ scalar: Unicode.Scalar) -> [Unicode.Scalar] {
        if scalar.isASCII { return [scalar] }
        if (0xAC00...0xD7A3).contains(scalar.value) { return jamo(scalar) }
        return String(scalar).decomposedStringWithCanonicalMapping.unicodeScalars.filter { !isDiacritic($0) }
    }

    /// The letters of a Hangul syllable (Unicode 16, section 3.12).
    private static func jamo(_ syllable: Unicode.Scalar) -> [Unicode.Scalar] {
        let index = syllable.value - 0xAC00
        let parts = [0x1100 + index / 588, 0x1161 + index % 588 / 28, 0x11A7 + index % 28]
        return parts.prefix(index % 28 == 0 ? 2 : 3).compactMap(Unicode.Scalar.init)
    }
}
