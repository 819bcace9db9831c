import Foundation

/// A note about a response, so that a source need not send it again.
struct KeptAnswer: Codable {
    var items: [String]
    var eligible: Int
    var why: ContentWhy?
    var changesAt: Date?
    var after: String?
    var tag: String
}

/// The position of a user who goes through content without repeats, kept between launches.
struct KeptRound: Codable, Equatable {
    /// The position in the source's order.
    var after: String?
    /// The position in the order of the cached content.
    var device: String?
}

extension ContentCache {
    /// - Returns: nil for a value that does not exist or cannot be decoded; the latter is removed.
    func value<Value: Decodable>(_ type: Value.Type, _ key: CacheKey, isUse: Bool = true) -> Value? {
        guard let data = read(key, isUse: isUse) else { return nil }
        if let value = try? JSONDecoder().decode(type, from: data) { return value }
        try? remove([key])
        return nil
    }

    @discardableResult
    func write(_ value: some Encodable, _ key: CacheKey) throws(ContentFault) -> Int64 {
        try write(Self.data(value), key)
    }

    /// Equal values have equal bytes.
    static func data(_ value: some Encodable) throws(ContentFault) -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        do { return try encoder.encode(value) } catch {
            throw ContentFault(.notStored, "it cannot be written: \(error)")
        }
    }
}
