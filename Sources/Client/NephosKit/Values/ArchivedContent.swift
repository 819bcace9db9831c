import CloudKitWire
import Crypto
import Foundation

/// A value in the archive of an object, as JSON.
protocol Archived {
    func archive(to writer: inout JSONWriter)

    /// - Throws: `WireError` for JSON that is not such a value.
    init(archive reader: inout JSONReader) throws(WireError)
}

/// The content of an object is archived as one block of bytes: JSON, with its SHA-256 before it.
///
/// Foundation's archiver on Linux looks up every object that it is given among all earlier ones, and its writer of property
/// lists does so with every value. The hashes that they use are poor: that of a dictionary or an array is the number of its
/// elements, that of data depends on its first 80 bytes, that of a text with more than 96 characters on a part of them.
/// Values with equal hashes are compared with each other, so an archive of many objects would take quadratic time. With a
/// digest at its beginning, each block has a hash of its own, even if somebody else chose the values in it.
extension NSCoder {
    /// Writes a block.
    ///
    /// - Parameters:
    ///   - key: The name of the class, so that no other class reads the block.
    ///   - members: Writes the members of a JSON object.
    func encodeContent(forKey key: String, _ members: (inout JSONWriter) -> Void) {
        var writer = JSONWriter()
        writer.beginObject()
        members(&writer)
        writer.endObject()
        encodeContent(writer, forKey: key)
    }

    func encodeContent(_ content: some Archived, forKey key: String) {
        var writer = JSONWriter()
        content.archive(to: &writer)
        encodeContent(writer, forKey: key)
    }

    private func encodeContent(_ writer: JSONWriter, forKey key: String) {
        let block = Array(SHA256.hash(data: writer.bytes)) + writer.bytes
        // As bytes, not as an NSData, which the archiver would look up, and copy byte by byte to do so.
        block.withUnsafeBufferPointer { encodeBytes($0.baseAddress, length: $0.count, forKey: key) }
    }

    /// Reads a block that ``encodeContent(forKey:_:)`` wrote.
    ///
    /// - Parameter member: Reads a member of the JSON object.
    /// - Returns: False if there is no such block, or if it cannot be read; some members may have been read then.
    func decodeContent(
        forKey key: String, _ member: (inout JSONReader, JSONKey) throws(WireError) -> Void
    ) -> Bool {
        guard var reader = content(forKey: key) else { return false }
        do throws(WireError) {
            try reader.readMembers(member)
            return true
        } catch {
            return false
        }
    }

    /// Returns nil if there is no such block, or if it is not a value of this type.
    func decodeContent<Content: Archived>(_ type: Content.Type, forKey key: String) -> Content? {
        guard var reader = content(forKey: key) else { return nil }
        return try? Content(archive: &reader)
    }

    /// A reader of the JSON of a block; nil if there is none, or if it was changed.
    private func content(forKey key: String) -> JSONReader? {
        guard let block = withDecodedUnsafeBufferPointer(forKey: key, body: { $0.map { Array($0) } }) else {
            return nil
        }
        let json = block.dropFirst(SHA256.byteCount)
        guard block.prefix(SHA256.byteCount).elementsEqual(SHA256.hash(data: json)) else { return nil }
        return try? JSONReader(json)
    }
}

extension JSONWriter {
    /// Writes a member unless its value is nil.
    mutating func archive(_ key: StaticString, _ value: (some Archived)?) {
        guard let value else { return }
        self.key(key)
        value.archive(to: &self)
    }
}

extension JSONReader {
    mutating func archived<Value: Archived>() throws(WireError) -> Value { try Value(archive: &self) }
}

// MARK: Values of Swift

extension String: Archived {
    func archive(to writer: inout JSONWriter) { writer.string(self) }
    init(archive reader: inout JSONReader) throws(WireError) { self = try reader.readText() }
}

extension Bool: Archived {
    func archive(to writer: inout JSONWriter) { writer.bool(self) }
    init(archive reader: inout JSONReader) throws(WireError) { self = try reader.readBool() }
}

extension Int64: Archived {
    func archive(to writer: inout JSONWriter) { writer.int64(self) }
    init(archive reader: inout JSONReader) throws(WireError) { self = try reader.readInt64() }
}

extension Int: Archived {
    func archive(to writer: inout JSONWriter) { Int64(self).archive(to: &writer) }
    init(archive reader: inout JSONReader) throws(WireError) {
        self = Int(truncatingIfNeeded: try Int64(archive: &reader))
    }
}

/// The bits of the number, which are exact for every number, also for those that JSON does not have.
extension Double: Archived {
    func archive(to writer: inout JSONWriter) { Int64(bitPattern: bitPattern).archive(to: &writer) }
    init(archive reader: inout JSONReader) throws(WireError) {
        self.init(bitPattern: UInt64(bitPattern: try Int64(archive: &reader)))
    }
}

extension Date: Archived {
    func archive(to writer: inout JSONWriter) { timeIntervalSinceReferenceDate.archive(to: &writer) }
    init(archive reader: inout JSONReader) throws(WireError) {
        self.init(timeIntervalSinceReferenceDate: try Double(archive: &reader))
    }
}

extension Array: Archived where Element: Archived {
    func archive(to writer: inout JSONWriter) {
        writer.beginArray()
        for element in self { element.archive(to: &writer) }
        writer.endArray()
    }

    init(archive reader: inout JSONReader) throws(WireError) {
        self = []
        try reader.readArray { reader, _ throws(WireError) in append(try Element(archive: &reader)) }
    }
}
