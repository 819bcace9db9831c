import CloudKitWire
import Testing

@testable import Audience

/// docs/audiences.md, "Times": files of time zones, and what is built in. That a server reads those of its system is in CommandTests.
@Suite("Time zones") struct ZoneTests {
    private static func second(_ text: String) -> Int64 { moment(text) / 1_000 }

    /// A file as RFC 9636 describes it.
    private struct File {
        var version = UInt8(ascii: "2")
        var changes: [(at: Int64, kind: UInt8)] = []
        /// The offsets of the kinds, in seconds.
        var offsets: [Int32] = [0]
        var leapSeconds = 0
        var rule = ""

        private func part(_ size: Int, isEmpty: Bool) -> [UInt8] {
            func number(_ number: Int64, _ size: Int) -> [UInt8] {
                (0..<size).reversed().map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
            }
            let (changes, offsets) = (isEmpty ? [] : changes, isEmpty ? [0] : offsets)
            let counts = [0, 0, leapSeconds, changes.count, offsets.count, 4]
            return Array("TZif".utf8) + [version] + [UInt8](repeating: 0, count: 15)
                + counts.flatMap { number(Int64($0), 4) } + changes.flatMap { number($0.at, size) }
                + changes.map(\.kind) + offsets.flatMap { number(Int64($0), 4) + [0, 0] } + Array("ABC\0".utf8)
                + [UInt8](repeating: 0, count: leapSeconds * (size + 4))
        }

        var bytes: [UInt8] {
            version == 0
                ? part(4, isEmpty: false)
                : part(4, isEmpty: true) + part(8, isEmpty: false) + Array("\n\(rule)\n".utf8)
        }
    }

    private static let summerFrom2020 = File(
        changes: [(-5_000_000_000, 1), (1_577_836_800, 2)], offsets: [-1_234, 3_600, 7_200],
        rule: "CET-1CEST,M3.5.0,M10.5.0/3")

    @Test("A file has the offsets of the past, and a rule for the time after its last change")
    func file() throws {
        let zone = try #require(ZoneFile.offsets(in: Self.summerFrom2020.bytes))
        for (second, offset) in [
            (-6_000_000_000, -1_234), (-5_000_000_000, 3_600), (1_577_836_799, 3_600),
            (Self.second("2027-01-01T00:00:00Z"), 3_600), (Self.second("2027-07-01T00:00:00Z"), 7_200),
        ] as [(Int64, Int64)] { #expect(zone.seconds(at: second) == offset, "\(second)") }
        var old = Self.summerFrom2020
        (old.version, old.changes) = (0, [(0, 2), (86_400, 1)])
        let first = try #require(ZoneFile.offsets(in: old.bytes))
        #expect([-1, 0, 86_399, 86_400].map { first.seconds(at: $0) } == [-1_234, 7_200, 7_200, 3_600])
        var plain = File()
        plain.offsets = [20_700]
        #expect(ZoneFile.offsets(in: plain.bytes)?.seconds(at: 5) == 20_700)
    }

    @Test("What is no such file is no time zone, wherever it is cut off")
    func damaged() {
        let bytes = Self.summerFrom2020.bytes
        for count in bytes.indices { #expect(ZoneFile.offsets(in: Array(bytes[..<count])) == nil, "\(count)") }
        var bad = Array(repeating: Self.summerFrom2020, count: 5)
        bad[0].leapSeconds = 1
        bad[1].changes = [(5, 1), (5, 2)]
        bad[2].changes = [(5, 3)]
        bad[3].offsets[1] = 93_600
        bad[4].rule = "CET-1CEST,M3.5.0"
        for file in bad { #expect(ZoneFile.offsets(in: file.bytes) == nil) }
        #expect(ZoneFile.offsets(in: Array("TZif2".utf8) + [UInt8](repeating: 0xFF, count: 500)) == nil)
    }

    @Test(
        "Rules are those of POSIX's TZ, with the extensions that files use",
        arguments: [
            ("EST5EDT,M3.2.0,M11.1.0", "2027-03-14T06:59:59Z", -18_000),
            ("EST5EDT,M3.2.0,M11.1.0", "2027-03-14T07:00:00Z", -14_400),
            ("EST5EDT,M3.2.0,M11.1.0", "2027-11-07T06:00:00Z", -18_000),
            ("<+1030>-10:30<+11>-11,M10.1.0,M4.1.0", "2027-01-01T00:00:00Z", 39_600),
            ("<+1030>-10:30<+11>-11,M10.1.0,M4.1.0", "2027-07-01T00:00:00Z", 37_800),
            ("IST-1GMT0,M10.5.0,M3.5.0/1", "2027-12-01T00:00:00Z", 0),
            ("IST-1GMT0,M10.5.0,M3.5.0/1", "2027-07-01T00:00:00Z", 3_600),
            ("<-02>2<-01>,M3.5.0/-1,M10.5.0/0", "2027-03-28T00:59:59Z", -7_200),
            ("<-02>2<-01>,M3.5.0/-1,M10.5.0/0", "2027-03-28T01:00:00Z", -3_600),
            ("IST-2IDT,M3.4.4/26,M10.5.0", "2027-03-26T00:00:00Z", 10_800),
            ("AAA3BBB,J60/0,J300/0", "2028-03-01T02:59:59Z", -10_800),
            ("AAA3BBB,J60/0,J300/0", "2028-03-01T03:00:00Z", -7_200),
            ("AAA3BBB,59/0,299/0", "2028-02-29T03:00:00Z", -7_200),
            ("XXX3EDT4,0/0,J365/23", "2027-06-01T00:00:00Z", -14_400),
            ("UTC0", "2027-06-01T00:00:00Z", 0), ("<+0545>-5:45", "9999-06-01T00:00:00Z", 20_700),
        ])
    func rules(_ text: String, _ time: String, _ offset: Int64) throws {
        #expect(try #require(ZoneRule(text)).seconds(at: Self.second(time)) == offset)
    }

    @Test(
        "What is no rule is refused",
        arguments: [
            "", "CET", "ET-1", "CET-25", "CET-1CEST", "CET-1CEST,M3.5.0", "CET-1CEST,M13.5.0,M10.5.0",
            "CET-1CEST,M3.6.0,M10.5.0",
            "CET-1CEST,M3.5.7,M10.5.0", "CET-1CEST,M3.5.0,M10.5.0/168", "CET-1CEST,J0,J300", "CET-1CEST,366,300",
            "<+03-3", "CET-1 ",
            "CET-1CEST,M3.5.0,M10.5.0,", "CET--1", "CET-1:60",
        ])
    func noRule(_ text: String) { #expect(ZoneRule(text) == nil) }

    private static let nowhere = "/nonexistent"

    @Test(
        "Without a database, the changes since 2010 and the rules of now are known",
        arguments: [
            ("Europe/Berlin", "2027-01-01T00:00:00Z", 3_600), ("Europe/Berlin", "2027-07-01T00:00:00Z", 7_200),
            ("Arctic/Longyearbyen", "2027-07-01T00:00:00Z", 7_200),
            ("America/New_York", "2027-07-01T00:00:00Z", -14_400),
            ("Europe/Moscow", "2013-01-01T00:00:00Z", 14_400), ("Europe/Moscow", "2015-01-01T00:00:00Z", 10_800),
            ("America/Sao_Paulo", "2018-12-01T00:00:00Z", -7_200),
            ("America/Sao_Paulo", "2027-12-01T00:00:00Z", -10_800),
            ("Asia/Kolkata", "2027-01-01T00:00:00Z", 19_800), ("Asia/Calcutta", "2027-01-01T00:00:00Z", 19_800),
            ("US/Pacific", "2027-01-01T00:00:00Z", -28_800), ("Pacific/Kiritimati", "2027-01-01T00:00:00Z", 50_400),
            ("Australia/Lord_Howe", "2027-01-01T00:00:00Z", 39_600),
            ("Antarctica/Troll", "2027-07-01T00:00:00Z", 7_200),
            ("UTC", "2027-07-01T00:00:00Z", 0), ("Etc/GMT+12", "2027-07-01T00:00:00Z", -43_200),
        ])
    func builtIn(_ name: String, _ time: String, _ offset: Int64) throws {
        let zone = try #require(TimeZones.read(name, in: Self.nowhere))
        #expect(zone.seconds(at: Self.second(time)) == offset)
    }

    @Test("Every built-in zone can be read, and its offsets are those of clocks")
    func everyBuiltIn() throws {
        let names = BuiltInZones.text.split(whereSeparator: { " |\n".contains($0) }).map { $0.drop { $0 == "=" } }
            .filter { $0.first?.isUppercase == true && $0.contains("/") && !$0.contains(",") }
        #expect(names.count > 500)
        for name in names {
            let zone = try #require(TimeZones.read(String(name), in: Self.nowhere), "\(name)")
            for year in 2010...2040 {
                let offset = zone.seconds(at: Self.second("\(year)-07-01T00:00:00Z"))
                #expect((-43_200...50_400).contains(offset) && offset % 900 == 0, "\(name) in \(year)")
            }
        }
    }

    @Test(
        "Only names of areas and places are time zones",
        arguments: [
            "", "CET", "EST5EDT", "europe/berlin", "Europe/Nowhere", "Europe/", "/Berlin", "Europe//Berlin", "Europe",
            "America/Argentina",
            "right/Europe/Berlin", "posix/Europe/Berlin", "../zoneinfo/Europe/Berlin", "Europe/../Europe/Berlin",
            "Europe/Berlin\u{0}",
            "/etc/localtime", "Europe/\(String(repeating: "x", count: 60))",
        ])
    func unknown(name: String) { #expect(LocalTime(zone: name) == nil) }
}
