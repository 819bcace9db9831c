import CloudKitWire
import NephosDomain
import NephosRunner

/// The names of the records of an import with their lines, to find a name that occurs twice.
///
/// Memory is limited, so the oldest of several hundred thousand names are forgotten. A record whose name occurs again after that counts
/// as one that already exists.
struct ImportedNames {
    /// Bytes of memory of each half.
    private static let bytesMax = 32 << 20

    private var newest: [Name: Int] = [:]
    private var older: [Name: Int] = [:]
    private var bytes = 0

    /// - Throws: ``Failure`` with both lines if there was a record of the same name.
    mutating func add(_ record: ImportedRecord) throws(Failure) {
        if let first = newest[record.name] ?? older[record.name] {
            let name = record.name.excerpt
            throw Failure("Line \(record.line): record \(name) is already on line \(first). Remove one of the two.")
        }
        newest[record.name] = record.line
        bytes += 128 + record.name.bytes.count
        if bytes > Self.bytesMax { (older, newest, bytes) = (newest, [:], 0) }
    }
}
