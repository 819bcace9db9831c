import NephosStorage

/// The numbers of the days of one year in compact form: a version, then for each day in order the number of days since the
/// previous one (the first: since the beginning of the year), and its number.
struct ImportedDays: Equatable {
    private static let version: UInt8 = 1

    /// By the day of the year, from 0.
    var numbers: [Int64: Int64] = [:]

    init() {}

    /// - Throws: `StorageError.corrupt` for bytes that are not in this format.
    init(_ bytes: [UInt8]) throws(StorageError) {
        var reader = NumberReader(bytes)
        guard reader.byte() == Self.version else { throw Self.unreadable }
        var day: Int64 = 0
        while !reader.isAtEnd {
            guard let step = reader.number(), let number = reader.number(), 0...365 ~= step, 0...365 ~= day + step
            else {
                throw Self.unreadable
            }
            day += step
            numbers[day] = number
        }
    }

    private static let unreadable = StorageError.corrupt("days of imported figures cannot be read")

    var bytes: [UInt8] {
        var writer = NumberWriter([Self.version])
        var last: Int64 = 0
        for (day, number) in numbers.sorted(by: { $0.key < $1.key }) {
            writer.number(day - last)
            writer.number(number)
            last = day
        }
        return writer.bytes
    }
}
