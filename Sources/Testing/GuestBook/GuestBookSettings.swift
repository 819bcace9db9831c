import CloudKitWire
import NephosDomain
import NephosStorage

/// The settings of a guest book: one per line, `most 3` or `forbid WORD`.
struct GuestBookSettings: Sendable, Equatable {
    /// Maximum number of signatures per user.
    var most: Int64 = 3
    /// Texts that no signature may contain.
    var forbidden: [String] = []

    init() {}

    init(_ document: Bytes) throws(SectionFailure) {
        for (number, line) in String(decoding: document, as: UTF8.self).split(separator: "\n").enumerated() {
            let words = line.split(separator: " ", maxSplits: 1).map(String.init)
            switch (words.first, words.last.flatMap { Int64($0) }) {
            case ("most", let most?) where most > 0: self.most = most
            case ("forbid", _) where words.count == 2: forbidden.append(words[1])
            default: throw SectionFailure("line \(number + 1): write most NUMBER, or forbid WORD")
            }
        }
    }
}

extension GuestBookSettings {
    fileprivate static func effects(from old: Self, to new: Self) -> [SectionEffect] {
        let allowed = old.forbidden.filter { !new.forbidden.contains($0) }
        var effects = allowed.map { SectionEffect(.opens, "signatures may contain \($0)") }
        if new.most > old.most { effects.append(SectionEffect(.opens, "users may sign \(new.most) times")) }
        return effects
    }
}

extension CatalogSection<GuestBookSettings> {
    static let guestBook = CatalogSection(
        GuestBook.name, isDeployed: true, uses: { _ in [.type(GuestBook.signature, at: "", isRequired: false)] },
        effects: { old, new in
            GuestBookSettings.effects(from: old ?? GuestBookSettings(), to: new ?? GuestBookSettings())
        }
    ) { document throws(SectionFailure) in
        try GuestBookSettings(document)
    }
}

extension Catalog {
    func guestBook() throws(SectionFailure) -> GuestBookSettings { try value(of: .guestBook) ?? GuestBookSettings() }
}
