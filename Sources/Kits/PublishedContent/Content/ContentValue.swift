public import Foundation

/// A value of a field.
public enum ContentValue: Sendable, Hashable, Codable {
    case string(String)
    case integer(Int64)
    case double(Double)
    case date(Date)
    case bytes(Data)
    case file(ContentFile)
    /// The name of another record.
    case reference(String)
    case location(latitude: Double, longitude: Double)
    case list([ContentValue])
}

/// A file of a record at the server; ``PublishedContent/file(_:of:)`` downloads it.
public struct ContentFile: Sendable, Hashable, Codable {
    /// The server's identifier of the content: equal files have equal ones. It is not a hash that anybody else could compute. Nil
    /// if the service sends none.
    public var checksum: String?
    /// In bytes.
    public var size: Int64
    /// Where it can be downloaded for some minutes, or where the system has stored it. Not cached.
    public var url: URL?

    public init(checksum: String? = nil, size: Int64, url: URL? = nil) {
        (self.checksum, self.size, self.url) = (checksum, size, url)
    }
}

extension ContentValue {
    /// The text, if it is one.
    public var string: String? { if case .string(let value) = self { value } else { nil } }
    public var date: Date? { if case .date(let value) = self { value } else { nil } }
    public var integer: Int64? { if case .integer(let value) = self { value } else { nil } }
    public var bytes: Data? { if case .bytes(let value) = self { value } else { nil } }
    public var file: ContentFile? { if case .file(let value) = self { value } else { nil } }
    public var list: [ContentValue]? { if case .list(let value) = self { value } else { nil } }

    /// The value without URLs, which are valid for some minutes only.
    var kept: ContentValue {
        switch self {
        case .file(let file): .file(ContentFile(checksum: file.checksum, size: file.size))
        case .list(let values): .list(values.map(\.kept))
        default: self
        }
    }
}

extension ContentValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral {
    public init(stringLiteral value: String) { self = .string(value) }
    public init(integerLiteral value: Int64) { self = .integer(value) }
    public init(floatLiteral value: Double) { self = .double(value) }
}
