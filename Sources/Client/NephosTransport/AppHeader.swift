/// `X-Nephos-App`: what an app says of itself with its requests (docs/clients.md).
package enum AppHeader {
    package static let name = "X-Nephos-App"

    /// - Parameters:
    ///   - words: Version, platform, version of the system, and locale. What stands between them is taken out of them.
    ///   - device: What stands for the device; nil to name none.
    package static func text(_ words: [String], device: String?) -> String {
        (words + (device.map { [$0] } ?? []))
            .map { word in String(word.unicodeScalars.filter { (0x20...0x7E).contains($0.value) && $0 != ";" }) }
            .joined(separator: ";")
    }
}
