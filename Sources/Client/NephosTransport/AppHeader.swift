/// `X-Nephos-App`: the description of an app that is sent with its requests (docs/clients.md).
package enum AppHeader {
    package static let name = "X-Nephos-App"

    /// - Parameters:
    ///   - words: Version, platform, version of the system, and locale. The separator `;` and characters other than
    ///     printable ASCII are removed from them.
    ///   - device: An identifier of the device; nil to leave it out.
    package static func text(_ words: [String], device: String?) -> String {
        (words + (device.map { [$0] } ?? []))
            .map { word in String(word.unicodeScalars.filter { (0x20...0x7E).contains($0.value) && $0 != ";" }) }
            .joined(separator: ";")
    }
}
