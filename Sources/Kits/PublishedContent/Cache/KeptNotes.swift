import Foundation

/// What is remembered of an answer, so that a source need not send it again.
struct KeptAnswer: Codable {
    var items: [String]
    var eligible: Int
    var why: ContentWhy?
    var changesAt: Date?
    var after: String?
    var tag: String
}

/// How far somebody is who goes through content without repeats, from one start to the next.
struct KeptRound: Codable, Equatable {
    /// As the source has said.
    var after: String?
    /// Through what is kept here.
    var device: String?
}

extension ContentCache {
    /// - Returns: nil for what is not there or cannot be read, which is removed.
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

    /// Equal values are equal bytes.
    static func data(_ value: some Encodable) throws(ContentFault) -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        do { return try encoder.encode(value) } catch {
            throw ContentFault(.notStored, "it cannot be written: \(error)")
        }
    }
}
