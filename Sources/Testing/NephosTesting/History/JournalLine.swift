import Foundation

/// What `nephos-writer` says on standard output, one line of JSON each, after the store has acknowledged it.
package enum JournalLine: Codable, Sendable {
    case commit(JournalCommit)
    /// Everything that was deleted before this time, in milliseconds, may be forgotten from now on.
    case purge(before: Int64)

    /// The line, without a newline at its end.
    package func text() throws -> String { String(decoding: try JSONEncoder().encode(self), as: UTF8.self) }

    /// All lines of a file. - Throws: ``SystemError``, or the decoder's error for a line that is none.
    package static func read(_ path: String) throws -> [JournalLine] {
        let decoder = JSONDecoder()
        return try readFile(path).split(separator: UInt8(ascii: "\n")).map {
            try decoder.decode(JournalLine.self, from: Data($0))
        }
    }
}

/// One commit: what its decision saw of the head, and every row it wrote. Zones are named by the number of their
/// incarnation.
package struct JournalCommit: Codable, Sendable {
    package struct Zone: Codable, Sendable {
        package var number: Int64
        package var name: String
        /// Of its creation, or of its deletion.
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
        /// The tag of the state it replaced, as its decision saw it; nil for a record that is new.
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

    /// The database's sequence before it and after it.
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

    /// The sequence of every row it wrote.
    package var sequences: [Int64] {
        zonesDeleted.map(\.sequence) + zonesMade.map(\.sequence) + saves.map(\.sequence) + deletions.map(\.sequence)
    }
}
