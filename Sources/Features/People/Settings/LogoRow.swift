import CloudKitWire
import NephosStorage

/// The logo that pages show for the app, in addition to its name (table `app_logos`): one row or none.
struct LogoRow: Sendable, Equatable {
    static let bytesMax = 64 << 10
    /// Per side.
    static let pixelsMax = 2_048

    /// In PNG format.
    var picture: [UInt8]
    var changedAt: Milliseconds
    /// The key of the only row.
    private var number: Int64 = 1

    init(picture: [UInt8], changedAt: Milliseconds) { (self.picture, self.changedAt) = (picture, changedAt) }
}

extension LogoRow: StoredRow {
    static let table = Table(of: Self.self, "app_logos", .tenant, key: ["number"])
    static let sample = LogoRow(picture: [], changedAt: 0)

    mutating func columns(_ columns: inout some Columns) throws(StorageError) {
        try columns.int("number", &number)
        try columns.bytes("picture", &picture)
        try columns.int("changed_at", &changedAt)
    }

    static let only = Scan<Self>(limit: 1)

    /// What is wrong with a picture, without a subject and period; nil if it is a valid logo.
    static func fault(of picture: [UInt8]) -> String? {
        guard picture.count <= bytesMax else { return "has \(picture.count) bytes; the maximum is \(bytesMax)" }
        // The signature, then a chunk of 13 bytes, IHDR, which begins with width and height (PNG 3rd edition, 5.2 and 11.2.1); IEND ends it.
        let begin: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13] + Array("IHDR".utf8)
        guard picture.starts(with: begin), picture.count > 45, picture.suffix(8).starts(with: "IEND".utf8) else {
            return "is not a PNG image"
        }
        func number(at place: Int) -> Int { picture[place..<place + 4].reduce(0) { $0 << 8 | Int($1) } }
        let (width, height) = (number(at: 16), number(at: 20))
        guard 1...pixelsMax ~= width, 1...pixelsMax ~= height else {
            return "has \(width) × \(height) pixels; the maximum is \(pixelsMax) per side"
        }
        return nil
    }
}
