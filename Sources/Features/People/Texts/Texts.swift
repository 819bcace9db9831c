import Audience
import NephosRunner

/// All texts of pages, in one language. To add a language, add a file like that of ``english``.
struct Texts: Sendable {
    /// The HTML language code.
    var language: String { signIn.language }
    let signIn: SignInTexts
    let passkeys: PasskeyTexts
    let links: LinkTexts
    let passwords: PasswordTexts
    let account: AccountTexts
    let accesses: AccessTexts
    let device: DeviceTexts
    let leaving: LeavingTexts

    static let all = [english, german]

    /// The texts that a browser prefers; English if it accepts none of the languages.
    static func of(_ request: RawRequest) -> Texts {
        var best: (texts: Texts, weight: Double)?
        for item in request.headers.list(.acceptLanguage).prefix(32) {
            let parts = item.split(separator: ";").map(\.trimmed)
            guard let wanted = parts.first.flatMap({ LanguageTag($0) }) else { continue }
            let weight = parts.dropFirst().first { $0.hasPrefix("q=") }.flatMap { Double($0.dropFirst(2)) } ?? 1
            guard weight > best?.weight ?? 0,
                let texts = all.first(where: { LanguageTag($0.language)?.covers(wanted) ?? false })
            else { continue }
            best = (texts, weight)
        }
        return best?.texts ?? english
    }
}

extension String {
    /// The text with each `%` replaced, in order.
    func filled(_ texts: String...) -> String {
        var rest = texts[...]
        return split(separator: "%", omittingEmptySubsequences: false).map(String.init).reduce(nil) { said, next in
            said.map { $0 + (rest.popFirst() ?? "") + next } ?? next
        } ?? ""
    }
}
