import Foundation

/// A file of the operator's.
package struct TextFile {
    package let path: String

    package init(path: String) { self.path = path }

    package func read() throws(Failure) -> [UInt8] {
        guard let bytes = FileManager.default.contents(atPath: path) else {
            throw Failure("Cannot read \(path). Check that it is there and that you may read it.")
        }
        return Array(bytes)
    }

    /// Writes the file whole; one that is there is replaced.
    package func write(_ bytes: [UInt8]) throws(Failure) {
        do {
            try Data(bytes).write(to: URL(fileURLWithPath: path), options: .atomic)
        } catch {
            throw Failure("Cannot write \(path): \(error.localizedDescription)")
        }
    }
}
