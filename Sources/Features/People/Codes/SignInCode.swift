import CloudKitWire
import Crypto
import NephosRunner

/// The code that a program shows and its person types: eight letters without vowels, so that they form no words.
struct SignInCode: Sendable, Equatable {
    static let count = 8
    private static let alphabet = Array("BCDFGHJKLMNPQRSTVWXZ")

    private let letters: String

    init(_ randomSource: RandomSource) {
        letters = String(
            (0..<Self.count).map { _ in Self.alphabet[Int(randomSource.next() % UInt64(Self.alphabet.count))] })
    }

    /// nil if it is not a valid code. - Parameter typed: In upper or lower case, with or without separators.
    init?(typed: String) {
        let letters = String(typed.uppercased().filter { $0 != "-" && !$0.isWhitespace })
        guard letters.count == Self.count, letters.allSatisfy({ Self.alphabet.contains($0) }) else { return nil }
        self.letters = letters
    }

    /// For people: `BCDF-GHJK`.
    var text: String { "\(letters.prefix(Self.count / 2))-\(letters.suffix(Self.count / 2))" }

    /// The hash stored in the directory. - Parameter key: ``SiteKey``. Without it, all codes could be tried against a copy of the
    /// store.
    func hash(key: [UInt8]) -> [UInt8] {
        Array(
            HMAC<SHA256>.authenticationCode(for: Array("device code\0\(letters)".utf8), using: SymmetricKey(data: key)))
    }
}

/// The secret with which a program polls; known only to the program.
enum DeviceSecret {
    private static let bytes = 32

    static func make(_ randomSource: RandomSource) -> String { Hexadecimal.text(randomSource.bytes(bytes)) }

    /// The hash stored in the directory.
    static func hash(_ text: String) -> [UInt8] { Array(SHA256.hash(data: Array(text.utf8))) }
}
