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

extension CatalogSection<GuestBookSettings> {
    static let guestBook = CatalogSection(GuestBook.name, isDeployed: true) { document throws(SectionFailure) in
        try GuestBookSettings(document)
    }
}

extension Catalog {
    func guestBook() throws(SectionFailure) -> GuestBookSettings { try value(of: .guestBook) ?? GuestBookSettings() }
}
