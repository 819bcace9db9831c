import NephosRunner

/// All that pages say, in one language. Another language is a file beside ``english``.
struct Texts: Sendable {
    /// As HTML names it.
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

    /// Those that a browser likes best; English where it likes none of them.
    static func of(_ request: RawRequest) -> Texts {
        var best: (texts: Texts, weight: Double)?
        for item in request.headers.list(.acceptLanguage).prefix(32) {
            let parts = item.split(separator: ";").map(\.trimmed)
            guard let tag = parts.first?.lowercased() else { continue }
            let weight = parts.dropFirst().first { $0.hasPrefix("q=") }.flatMap { Double($0.dropFirst(2)) } ?? 1
            guard weight > best?.weight ?? 0,
                let texts = all.first(where: { tag == $0.language || tag.hasPrefix($0.language + "-") })
            else { continue }
            best = (texts, weight)
        }
        return best?.texts ?? english
    }
}

extension String {
    /// With texts in the places of `%`, in order.
    func filled(_ texts: String...) -> String {
        var rest = texts[...]
        return split(separator: "%", omittingEmptySubsequences: false).map(String.init).reduce(nil) { said, next in
            said.map { $0 + (rest.popFirst() ?? "") + next } ?? next
        } ?? ""
    }
}
