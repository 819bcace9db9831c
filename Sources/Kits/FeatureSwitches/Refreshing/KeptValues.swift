import CloudKitWire
import Foundation
import KitSupport

/// The last known values, saved in a file between launches of the app.
struct KeptValues: Sendable, Equatable {
    var source: String
    /// The identifier of this installation, used for percentage splits.
    var installation: String
    /// When the values were fetched; nil if none were yet.
    var date: Date?
    var values: FlagValues?

    private static let version: Int64 = 1
    private static let bytesMax = 32 << 20

    /// - Returns: nil if there is no file.
    /// - Throws: The reason why it cannot be read.
    static func read(_ file: URL) throws -> KeptValues? {
        guard FileManager.default.fileExists(atPath: file.path) else { return nil }
        let bytes = try Data(contentsOf: file)
        guard bytes.count <= bytesMax else { throw WireError("it has more than \(bytesMax) bytes", isLimit: true) }
        return try KeptValues([UInt8](bytes))
    }

    private init(_ bytes: [UInt8]) throws(WireError) {
        guard case .object(let members)? = FlagValue(json: String(decoding: bytes, as: UTF8.self)),
            members["version"] == .integer(Self.version), let source = members["source"]?.stringValue,
            let installation = members["installation"]?.stringValue, !installation.isEmpty
        else { throw WireError("it contains no values of this version") }
        self.init(source: source, installation: installation)
        guard let milliseconds = members["date"]?.integerValue, members["flags"] != nil else { return }
        date = Date(timeIntervalSince1970: Double(milliseconds) / 1_000)
        values = try FlagValues(ofrep: bytes, tag: members["tag"]?.stringValue, base: nil)
    }

    init(source: String, installation: String) { (self.source, self.installation) = (source, installation) }

    /// Replaces the file atomically: readers see either the old or the new content.
    func write(to file: URL) throws {
        var members: [String: FlagValue] = [
            "version": .integer(Self.version), "source": .string(source), "installation": .string(installation),
        ]
        if let values, let date {
            members["date"] = .integer(date.milliseconds)
            members["flags"] = .list(values.answers.map(\.ofrep))
            members["tag"] = values.tag.map { .string($0) }
            // If nothing has changed, the next response does not contain the stream.
            if let stream = values.stream {
                members["eventStreams"] = [["type": "sse", "url": .string(stream.absoluteString)]]
            }
        }
        let bytes = FlagValue.object(members).jsonBytes
        guard bytes.count <= Self.bytesMax else {
            throw WireError("they have more than \(Self.bytesMax) bytes", isLimit: true)
        }
        try KeptFile.replace(file, with: Data(bytes))
    }
}
