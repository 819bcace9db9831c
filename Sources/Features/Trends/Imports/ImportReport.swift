import CloudKitWire

/// Imported figures: how many records were created on each day, or how many elements a list had.
///
/// `{"source":"Old","zone":"Europe/Rome","series":[{"type":"Post","list":null,"days":[{"day":"2026-11-23","created":3}],"live":null}]}`
struct ImportReport: Sendable, Equatable {
    /// Bytes of a report, its days, and its years of series, each of which is a row.
    static let bytesMax = 1 << 20
    static let daysMax = 20_000
    static let yearsMax = 2_000
    static let numberMax: Int64 = 1 << 40
    private static let nameBytesMax = 255

    /// A year of one series, which is stored as one row.
    struct Year: Sendable, Hashable {
        let type, list: Name
        let year: Int64
    }

    private(set) var source = ""
    private(set) var zone = ""
    /// By the day of the year, from 0.
    private(set) var years: [Year: [Int64: Int64]] = [:]
    private(set) var dayCount = 0
    private var series: Set<[Name]> = []

    /// The number of series that have any day.
    var seriesCount: Int { Set(years.keys.map { [$0.type, $0.list] }).count }
    /// Since 1970; nil for none.
    var lastDay: Int64? {
        years.compactMap { year, numbers in
            numbers.keys.max().map { CivilDate(year: year.year, month: 1, day: 1).days + $0 }
        }.max()
    }

    /// - Throws: If the body is not a valid report, or too long.
    init(_ body: ArraySlice<UInt8>) throws(WireError) {
        guard body.count <= Self.bytesMax else {
            throw WireError(
                "one request can have at most \(Self.bytesMax) bytes of figures: send fewer at a time", isLimit: true)
        }
        var json = try JSONReader(body)
        try json.readObject { json, key throws(WireError) in
            let start = json.offset
            switch key {
            case "source":
                let name = try json.readName().owned
                guard 1...ImportSeriesRow.sourceBytesMax ~= name.bytes.count, !name.hasControlCharacters else {
                    throw WireError(
                        "source must be a text of 1 to \(ImportSeriesRow.sourceBytesMax) bytes on one line",
                        offset: start)
                }
                source = name.text
            case "zone":
                zone = try json.readName().text
                guard Days(zone: zone) != nil else {
                    throw WireError("zone must be one of the time zone database, such as Europe/Rome", offset: start)
                }
            case "series": try json.readArray { json, _ throws(WireError) in try readSeries(&json) }
            default: throw WireError("unknown key; figures have source, zone and series", offset: start)
            }
        }
        try json.finish()
        guard !source.isEmpty else { throw WireError("source is missing: name the origin of these figures") }
        guard !zone.isEmpty else { throw WireError("zone is missing: name the time zone of these days") }
    }

    private mutating func readSeries(_ json: inout JSONReader) throws(WireError) {
        let start = json.offset
        var (type, list): (Name?, Name?) = (nil, nil)
        var days: [Day] = []
        try json.readObject { json, key throws(WireError) in
            switch key {
            case "type": type = try Self.name(&json)
            case "list": if try !json.readNull() { list = try Self.name(&json) }
            case "live":
                let start = json.offset
                guard try json.readNull() else {
                    throw WireError("live must be null: it is computed from what was created", offset: start)
                }
            case "days":
                try json.readArray { json, _ throws(WireError) in
                    guard dayCount < Self.daysMax else {
                        throw WireError(
                            "one request can have at most \(Self.daysMax) days: send fewer at a time",
                            offset: json.offset,
                            isLimit: true)
                    }
                    dayCount += 1
                    days.append(try Day(&json))
                }
            default: throw WireError("unknown key; a series has type, list, days and live", offset: json.offset)
            }
        }
        guard let type else { throw WireError("a series needs a type", offset: start) }
        guard series.insert([type, list ?? ""]).inserted else {
            throw WireError("a series must appear only once, with all its days", offset: start)
        }
        guard series.count <= ImportSeriesRow.seriesMax else {
            throw WireError(
                "a source can have at most \(ImportSeriesRow.seriesMax) series", offset: start, isLimit: true)
        }
        for day in days { try add(day, type, list) }
    }

    private static func name(_ json: inout JSONReader) throws(WireError) -> Name {
        let start = json.offset
        let name = try json.readName().owned
        guard 1...nameBytesMax ~= name.bytes.count, !name.hasControlCharacters else {
            throw WireError("type and list must be names of 1 to \(nameBytesMax) bytes", offset: start)
        }
        return name
    }

    private mutating func add(_ day: Day, _ type: Name, _ list: Name?) throws(WireError) {
        guard let number = list == nil ? day.created : day.total, (list == nil ? day.total : day.created) == nil else {
            throw WireError(
                list == nil ? "a day of records needs day and created" : "a day of a list needs day and total",
                offset: day.offset)
        }
        let year = Year(type: type, list: list ?? "", year: day.date.year)
        let place = day.date.days - CivilDate(year: day.date.year, month: 1, day: 1).days
        guard years[year, default: [:]].updateValue(number, forKey: place) == nil else {
            throw WireError("the day \(day.date) appears twice", offset: day.offset)
        }
        guard years.count <= Self.yearsMax else {
            throw WireError(
                "one request can have at most \(Self.yearsMax) years of all series: send fewer at a time",
                offset: day.offset,
                isLimit: true)
        }
    }
}

/// One day as received.
private struct Day {
    let offset: Int?
    let date: CivilDate
    private(set) var created, total: Int64?

    init(_ json: inout JSONReader) throws(WireError) {
        offset = json.offset
        var date: CivilDate?
        var (created, total): (Int64?, Int64?) = (nil, nil)
        try json.readObject { json, key throws(WireError) in
            switch key {
            case "day":
                let start = json.offset
                date = CivilDate(try json.readName().text)
                guard date != nil else {
                    throw WireError("day must be a day such as 2026-11-23, of the years 1970 to 9999", offset: start)
                }
            case "created": created = try Self.number(&json)
            case "total": total = try Self.number(&json)
            default: throw WireError("unknown key; a day has day, and created or total", offset: json.offset)
            }
        }
        guard let date else { throw WireError("day is missing", offset: offset) }
        (self.date, self.created, self.total) = (date, created, total)
    }

    private static func number(_ json: inout JSONReader) throws(WireError) -> Int64 {
        let start = json.offset
        let number = try json.readInt64()
        guard 0...ImportReport.numberMax ~= number else {
            throw WireError("a number must be from 0 to \(ImportReport.numberMax)", offset: start)
        }
        return number
    }
}
