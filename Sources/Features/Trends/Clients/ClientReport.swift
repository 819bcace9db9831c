import Audience
import NephosRunner

/// What a client reports about itself (docs/clients.md): `X-Nephos-App: VERSION;PLATFORM;SYSTEM;LOCALE`, followed by `;DEVICE` if
/// nobody is signed in.
struct ClientReport: Sendable, Equatable {
    /// Bytes of each word, and of the device identifier.
    static let wordBytesMax = 32
    static let deviceBytesMax = 64

    /// The app's version, such as `2.3`. Each word is empty if not reported.
    let version: String
    /// In lower case, such as `ios`.
    let platform: String
    /// The version of the operating system, such as `17.5`.
    let system: String
    /// Such as `es-MX`.
    let locale: String
    /// The device identifier; nil if not reported.
    let device: String?

    /// - Returns: nil if the header is not valid. The client gets no error, because no request depends on it.
    init?(_ header: String) {
        guard header.utf8.count <= 5 * Self.deviceBytesMax else { return nil }
        let words = header.split(separator: ";", omittingEmptySubsequences: false).map { String($0.trimmed) }
        guard (4...5).contains(words.count), words.prefix(4).allSatisfy(Self.isWord),
            words[3].isEmpty || LanguageTag(words[3]) != nil, words.prefix(4).contains(where: { !$0.isEmpty })
        else { return nil }
        (version, platform, system, locale) = (words[0], words[1].lowercased(), words[2], words[3])
        let device = words.count == 5 ? words[4] : ""
        guard device.utf8.count <= Self.deviceBytesMax else { return nil }
        self.device = device.isEmpty ? nil : device
    }

    private static func isWord(_ text: String) -> Bool {
        text.utf8.count <= wordBytesMax && text.utf8.allSatisfy { (0x20...0x7E).contains($0) }
    }
}

/// Properties by which clients are counted, in addition to their total.
enum ClientProperty: String, Sendable, CaseIterable {
    case version, platform, system, language
    /// The region of the locale, such as `MX`: the chosen conventions, not necessarily the place where the client is.
    case region
}
