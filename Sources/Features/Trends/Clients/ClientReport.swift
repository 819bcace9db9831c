import Audience
import NephosRunner

/// What a client reports about itself (docs/clients.md): `X-Nephos-App: VERSION;PLATFORM;SYSTEM;LOCALE`, followed by `;DEVICE` if
/// nobody is signed in.
struct ClientReport: Sendable, Equatable {
    /// Bytes of each word, and of the device identifier.
    static let wordBytesMax = 32
    static let deviceBytesMax = 64

    /// The app's version, such as `2.3`. Each word is empty if it is not reported, or cannot be read.
    let version: String
    /// In lower case, such as `ios`.
    let platform: String
    /// The version of the operating system, such as `17.5`.
    let system: String
    /// Such as `es-MX`.
    let locale: String
    /// The device identifier; nil if not reported.
    let device: String?

    /// - Returns: nil if the header says nothing. The client gets no error, because no request depends on it.
    init?(_ header: String) {
        guard header.utf8.count <= 5 * Self.deviceBytesMax else { return nil }
        let all = header.split(separator: ";", omittingEmptySubsequences: false).map { String($0.trimmed) }
        guard (4...5).contains(all.count) else { return nil }
        let words = all.prefix(4).map { Self.isWord($0) ? $0 : "" }
        (version, platform) = (Self.version(words[0]), words[1].lowercased())
        (system, locale) = (Self.version(words[2]), Self.locale(words[3]))
        guard ![version, platform, system, locale].allSatisfy(\.isEmpty) else { return nil }
        let device = all.count == 5 ? all[4] : ""
        guard device.utf8.count <= Self.deviceBytesMax else { return nil }
        self.device = device.isEmpty ? nil : device
    }

    /// A version as it is compared; one that cannot be compared is counted under its own name.
    private static func version(_ text: String) -> String { Version(text) == nil ? text : String(Version.bare(text)) }

    /// Without an encoding such as `.UTF-8`; empty if it says nothing about the language.
    private static func locale(_ text: String) -> String {
        LanguageTag(reported: text) == nil ? "" : String(text.prefix { $0 != "." })
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
