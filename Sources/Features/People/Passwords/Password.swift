import Foundation
import NephosRunner
import NephosStorage

/// What somebody types to sign in, in Unicode's NFC, so that one that was typed on another keyboard is the same.
///
/// It describes itself as nothing, so that no log gets it by mistake.
struct Password: Sendable, CustomStringConvertible, CustomReflectable {
    /// Why one cannot be had. It never repeats the password.
    enum Fault: Error, Sendable, Equatable, CaseIterable {
        case length, oneCharacter, partOfAddress, listed

        var asAdminError: AdminError {
            switch self {
            case .length: .refused("A password has \(bytesMin) to \(bytesMax) bytes. Choose one of that length.")
            case .oneCharacter: .refused("A password is not one character again and again. Choose another.")
            case .partOfAddress: .refused("A password does not contain a part of the address. Choose another.")
            case .listed: .refused("This password is on the list of those that are refused. Choose another.")
            }
        }
    }

    /// In UTF-8.
    static let bytesMin = 10
    static let bytesMax = 1_024
    /// Bytes from which on a part of an address may not be in a password.
    private static let partMin = 4

    let bytes: [UInt8]

    var description: String { "(password)" }
    var customMirror: Mirror { Mirror(self, children: []) }

    /// As it was typed; nil for what no password can be, by its length alone.
    init?(_ typed: String) {
        // Before it is brought into its form, which may make it several times as long.
        guard typed.utf8.count <= 4 * Self.bytesMax else { return nil }
        bytes = Array(typed.precomposedStringWithCanonicalMapping.utf8)
        guard (Self.bytesMin...Self.bytesMax).contains(bytes.count) else { return nil }
    }

    /// One that somebody wants to have from now on.
    ///
    /// - Parameters:
    ///   - email: The address of their account.
    ///   - refused: A list of the operator's, one on a line, compared without regard to case.
    static func new(_ typed: String, for email: String, refused: [UInt8] = []) throws(Fault) -> Password {
        guard let password = Password(typed) else { throw .length }
        let text = String(decoding: password.bytes, as: UTF8.self)
        guard Set(text).count > 1 else { throw .oneCharacter }
        let folded = text.lowercased()
        for part in email.lowercased().split(separator: "@") where part.utf8.count >= partMin {
            guard !folded.contains(part) else { throw .partOfAddress }
        }
        let lines = String(decoding: refused, as: UTF8.self).split(whereSeparator: \.isNewline)
        guard !lines.contains(where: { $0.precomposedStringWithCanonicalMapping.lowercased() == folded }) else {
            throw .listed
        }
        return password
    }
}
