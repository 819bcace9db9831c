package import Foundation

/// A kit's own file, kept between launches of the app.
package enum KeptFile {
    private static let bytesMax = 1 << 20

    /// A file of the app's own in the application support directory, by the app's bundle identifier or the name of its process.
    ///
    /// - Parameter path: `Communications/seen.json`
    package static func standard(_ path: String) -> URL? {
        let app = Bundle.main.bundleIdentifier ?? ProcessInfo.processInfo.processName
        return FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask).first.map {
            $0.appending(path: "\(app)/\(path)")
        }
    }

    /// - Returns: nil if there is no file.
    package static func read<Value: Decodable>(_ type: Value.Type, _ file: URL) throws(KitFault) -> Value? {
        guard FileManager.default.fileExists(atPath: file.path) else { return nil }
        do {
            let bytes = try Data(contentsOf: file)
            guard bytes.count <= bytesMax else {
                throw KitFault(.tooLarge, "\(file.path) has more than \(bytesMax) bytes")
            }
            return try JSONDecoder().decode(type, from: bytes)
        } catch let fault as KitFault {
            throw fault
        } catch {
            throw KitFault(.notStored, "the saved file \(file.path) cannot be read: \(error)")
        }
    }

    package static func write(_ value: some Encodable, _ file: URL) throws(KitFault) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        do { try replace(file, with: try encoder.encode(value)) } catch {
            throw KitFault(.notStored, "\(file.path) cannot be written: \(error)")
        }
    }

    /// Replaces the file atomically: readers see either the old or the new content.
    package static func replace(_ file: URL, with bytes: Data) throws {
        let folder = file.deletingLastPathComponent()
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try bytes.write(to: file, options: .atomic)
    }
}
