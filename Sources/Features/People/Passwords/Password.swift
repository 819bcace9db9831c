import NephosRunner
import NephosStorage

/// A password typed to sign in, in Unicode's NFC, so that it is the same when typed on another keyboard.
///
/// Its description omits the password, to keep it out of logs.
struct Password: Sendable, CustomStringConvertible, CustomReflectable {
    /// Why a password is not acceptable. It never repeats the password.
    enum Fault: Error, Sendable, Equatable, CaseIterable {
        case length, oneCharacter, partOfAddress, listed

        var asAdminError: AdminError {
            switch self {
            case .length: .refused("A password must have \(bytesMin) to \(bytesMax) bytes. Choose one of that length.")
            case .oneCharacter: .refused("A password must not repeat a single character. Choose another.")
            case .partOfAddress: .refused("A password must not contain a part of the address. Choose another.")
            case .listed: .refused("This password is in the list of refused passwords. Choose another.")
            }
        }
    }

    /// In UTF-8.
    static let bytesMin = 10
    static let bytesMax = 1_024
    /// A password must not contain a part of the address that has at least this many bytes.
    private static let partMin = 4

    let bytes: [UInt8]

    var description: String { "(password)" }
    var customMirror: Mirror { Mirror(self, children: []) }

    /// A password as typed; nil if its length is not acceptable.
    init?(_ typed: String) {
        // Checked before normalization, which may make it several times as long.
        guard typed.utf8.count <= 4 * Self.bytesMax else { return nil }
        bytes = Array(typed.composed.utf8)
        guard (Self.bytesMin...Self.bytesMax).contains(bytes.count) else { return nil }
    }

    /// A new password.
    ///
    /// - Parameters:
    ///   - email: The address of the account.
    ///   - refused: The operator's list of refused passwords, one per line, compared without regard to case.
    static func new(_ typed: String, for email: String, refused: [UInt8] = []) throws(Fault) -> Password {
        guard let password = Password(typed) else { throw .length }
        let text = String(decoding: password.bytes, as: UTF8.self)
        guard Set(text).count > 1 else { throw .oneCharacter }
        let folded = text.lowercased()
        for form in [EmailAddress.text(of: email), EmailAddress.shown(email)] {
            for part in form.split(separator: "@") where part.utf8.count >= partMin {
                guard !folded.contains(part) else { throw .partOfAddress }
            }
        }
        let lines = String(decoding: refused, as: UTF8.self).split(whereSeparator: \.isNewline)
        guard !lines.contains(where: { String($0).composed.lowercased() == folded }) else {
            throw .listed
        }
        return password
    }
}
