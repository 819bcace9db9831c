import Foundation

/// The output of `nephos-writer` on standard output, one line of JSON each, after the store has acknowledged the write.
package enum JournalLine: Codable, Sendable {
    case commit(JournalCommit)
    /// From now on everything deleted before this time, in milliseconds, may be purged.
    case purge(before: Int64)

    /// The line, without a trailing newline.
    package func text() throws -> String { String(decoding: try JSONEncoder().encode(self), as: UTF8.self) }

    /// All lines of a file. - Throws: ``SystemError``, or the decoder's error for an invalid line.
    package static func read(_ path: String) throws -> [JournalLine] {
        let decoder = JSONDecoder()
        return try readFile(path).split(separator: UInt8(ascii: "\n")).map {
            try decoder.decode(JournalLine.self, from: Data($0))
        }
    }
}

/// One commit: the state of the head that its decision saw, and every row it wrote. Zones are identified by the number of their
/// incarnation.
package struct JournalCommit: Codable, Sendable {
    package struct Zone: Codable, Sendable {
        package var number: Int64
        package var name: String
        /// The sequence number of its creation, or of its deletion.
        package var sequence: Int64
        package var deletedAt: Int64

        package init(number: Int64, name: String, sequence: Int64, deletedAt: Int64 = 0) {
            self.number = number
            self.name = name
            self.sequence = sequence
            self.deletedAt = deletedAt
        }
    }

    package struct Save: Codable, Sendable {
        package var zone: Int64
        package var name: String
        package var sequence: Int64
        /// The tag of the state it replaced, as its decision saw it; nil for a new record.
        package var replaced: Int64?
        package var fields: String

        package init(zone: Int64, name: String, sequence: Int64, replaced: Int64?, fields: String) {
            self.zone = zone
            self.name = name
            self.sequence = sequence
            self.replaced = replaced
            self.fields = fields
        }
    }

    package struct Deletion: Codable, Sendable {
        package var zone: Int64
        package var name: String
        package var sequence: Int64
        /// The tag of the state it deleted, as its decision saw it.
        package var replaced: Int64
        package var deletedAt: Int64

        package init(zone: Int64, name: String, sequence: Int64, replaced: Int64, deletedAt: Int64) {
            self.zone = zone
            self.name = name
            self.sequence = sequence
            self.replaced = replaced
            self.deletedAt = deletedAt
        }
    }

    /// The database's sequence number before and after the commit.
    package var before: Int64
    package var after: Int64
    package var zonesDeleted: [Zone] = []
    package var zonesMade: [Zone] = []
    package var saves: [Save] = []
    package var deletions: [Deletion] = []

    package init(before: Int64, after: Int64) {
        self.before = before
        self.after = after
    }

    /// The sequence number of every row it wrote.
    package var sequences: [Int64] {
        zonesDeleted.map(\.sequence) + zonesMade.map(\.sequence) + saves.map(\.sequence) + deletions.map(\.sequence)
    }
}
