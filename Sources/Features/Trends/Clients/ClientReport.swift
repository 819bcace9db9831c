import Audience
import NephosRunner

/// What a client says that it is (docs/clients.md): `X-Nephos-App: VERSION;PLATFORM;SYSTEM;LOCALE`, and `;DEVICE` where nobody is signed in.
struct ClientReport: Sendable, Equatable {
    /// Bytes of each word, and of what stands for a device.
    static let wordBytesMax = 32
    static let deviceBytesMax = 64

    /// Of the app, such as `2.3`. Each is empty for what is not said.
    let version: String
    /// In lower case, such as `ios`.
    let platform: String
    /// The version of the system, such as `17.5`.
    let system: String
    /// Such as `es-MX`.
    let locale: String
    /// What stands for the device; nil where none is named.
    let device: String?

    /// - Returns: nil for what is no such header. Nobody is told: it says nothing that a request needs.
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

/// By what clients are counted, beside how many there are.
enum ClientProperty: String, Sendable, CaseIterable {
    case version, platform, system, language
    /// Of their locale, such as `MX`: the country whose ways they have chosen, which need not be where they are.
    case region
}
