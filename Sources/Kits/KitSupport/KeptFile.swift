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
    /// - Throws: `tooLarge` or `notStored`. A file whose content cannot be used is renamed, so that a write does not destroy it.
    package static func read<Value: Decodable>(_ type: Value.Type, _ file: URL) throws(KitFault) -> Value? {
        guard FileManager.default.fileExists(atPath: file.path) else { return nil }
        let bytes: Data
        do {
            bytes = try Data(contentsOf: file)
        } catch {
            throw unreadable(file, error)
        }
        do {
            try check(bytes, file)
            return try JSONDecoder().decode(type, from: bytes)
        } catch {
            setAside(file)
            throw error as? KitFault ?? unreadable(file, error)
        }
    }

    private static func unreadable(_ file: URL, _ error: any Error) -> KitFault {
        KitFault(.notStored, "the saved file \(file.path) cannot be read: \(error)")
    }

    private static func check(_ bytes: Data, _ file: URL) throws(KitFault) {
        guard bytes.count <= bytesMax else {
            throw KitFault(.tooLarge, "\(file.path) has more than \(bytesMax) bytes")
        }
    }

    /// Renames a file to `NAME.unreadable`, in place of an earlier one.
    private static func setAside(_ file: URL) {
        let other = file.appendingPathExtension("unreadable")
        try? FileManager.default.removeItem(at: other)
        try? FileManager.default.moveItem(at: file, to: other)
    }

    /// - Throws: `tooLarge` for what ``read(_:_:)`` would not accept; the file is unchanged then.
    package static func write(_ value: some Encodable, _ file: URL) throws(KitFault) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        do {
            let bytes = try encoder.encode(value)
            try check(bytes, file)
            try replace(file, with: bytes)
        } catch {
            throw error as? KitFault ?? KitFault(.notStored, "\(file.path) cannot be written: \(error)")
        }
    }

    /// Replaces the file atomically: readers see either the old or the new content.
    package static func replace(_ file: URL, with bytes: Data) throws {
        let folder = file.deletingLastPathComponent()
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try bytes.write(to: file, options: .atomic)
    }
}
