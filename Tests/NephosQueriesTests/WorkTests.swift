import CloudKitWire
import NephosQueries
import NephosStorage
import NephosTesting
import Testing

/// The cost of the worst queries within the limits of docs/protocol.md (docs/decisions/0014), by a meter that gives the same result
/// on every machine.
@Suite struct WorkTests {
    private static let byRank = IndexShape(type: 1, parts: [.order(rank, isDescending: false)])
    private static let rank = RecordField.field("rank", .int64, epoch: 0)

    /// A record with a list of this many members, all 7.
    private static func record(_ number: Int, members: Int) throws -> RecordRow {
        var plain = PlainRecord(number: RecordNumber(number), zone: 1, name: "n\(number)")
        plain.fields = ["wholes": .wholes([7, 8]), "rank": .whole(Int64(number))]
        var row = try plain.row()
        let text = String(decoding: row.fields, as: UTF8.self)
        let list = "[" + Array(repeating: "7", count: members).joined(separator: ",") + "]"
        row.fields = Bytes(text.replacing("[7,8]", with: list))
        return row
    }

    private static func source(records: Int, members: Int, others: Int64 = 1_000) throws -> MemorySource {
        var source = MemorySource()
        source.zoneNumbers = [1]
        source.otherRecords = others
        let row = try record(1, members: members)
        for number in 1...records {
            var copy = row
            copy.number = RecordNumber(number)
            copy.name = Name("n\(number)")
            source.records[copy.number] = copy
        }
        source.open([byRank])
        return source
    }

    /// Filters with 250 values each, none of which any list here contains, so that every member is examined.
    private static func scan(filters: Int, _ test: ([QueryValue]) -> QueryCondition.Test) -> QueryScan {
        let conditions = (0..<filters).map { filter in
            QueryCondition(Fields.wholes, test((0..<250).map { .integer(Int64(1_000 + 250 * filter + $0)) }))
        }
        return QueryScan(
            extent: .database(1), type: 1, conditions: conditions, orders: [QueryOrder(rank)], limit: 200)
    }

    @Test("Half a million members of one record are each compared once with 250 values")
    func members() throws {
        var source = try Self.source(records: 1, members: 500_000)
        #expect(source.records[1].map { $0.storedBytes > 1_000_000 } == true)
        let page = try QueryWalk.page(Self.scan(filters: 1) { .holdsNone($0) }, source: &source)
        #expect(page.records.count == 1)
        #expect(page.work.comparisons == 500_000 && page.work.records == 1)
        #expect(page.work.bytes == source.bytesRead)
    }

    @Test("Twenty filters cost twenty comparisons a member, however many values they have")
    func filters() throws {
        var source = try Self.source(records: 1, members: 20_000)
        let none = try QueryWalk.page(Self.scan(filters: 20) { .holdsNone($0) }, source: &source)
        #expect(none.records.count == 1 && none.work.comparisons == 20 * 20_000)
        let all = try QueryWalk.page(Self.scan(filters: 20) { .holdsNotAll($0) }, source: &source)
        #expect(all.records.count == 1 && all.work.comparisons == 20 * 20_000)
    }

    @Test("A search for 250 words reads each word of a text once")
    func words() throws {
        var plain = PlainRecord(number: 1, zone: 1, name: "n")
        plain.fields = ["text": .text(String(repeating: "word ", count: 20_000)), "rank": .whole(1)]
        var source = MemorySource()
        source.zoneNumbers = [1]
        source.otherRecords = 1_000
        source.records[1] = try plain.row()
        source.open([Self.byRank])
        let words = (0..<250).map { Bytes("other\($0)") }
        for all in [true, false] {
            let scan = QueryScan(
                extent: .database(1), type: 1, conditions: [QueryCondition(Fields.text, .hasTokens(words, all: all))],
                orders: [QueryOrder(Self.rank)], limit: 200)
            let page = try QueryWalk.page(scan, source: &source)
            #expect(page.records.isEmpty && page.next == nil && page.work.comparisons == 20_000)
        }
    }

    // docs/protocol.md Q3
    @Test("A page ends once its comparisons or bytes are used up, even within a record, and the next continues there")
    func shortPages() throws {
        var source = try Self.source(records: 12, members: 10_000)
        for (comparisons, bytes) in [(25_000, 64 << 20), (1, 64 << 20), (10_000_000, 50_000), (10_000_000, 1)] {
            var scan = Self.scan(filters: 1) { .holdsNone($0) }
            scan.comparisonsLimit = comparisons
            scan.bytesExaminedLimit = bytes
            var (found, pages) = ([RecordNumber](), 0)
            repeat {
                let page = try QueryWalk.page(scan, source: &source)
                // One record is always compared completely; of the next, at most some members.
                #expect(page.work.comparisons <= max(comparisons, 10_000) + 4_097 || bytes < 1 << 20)
                #expect(page.next == nil || !page.records.isEmpty, "every page goes on")
                found += page.records.map(\.number)
                scan.after = page.next
                pages += 1
            } while scan.after != nil && pages < 100
            #expect(found == Array(1...12))
            #expect(pages >= 3, "\(comparisons), \(bytes)")
        }
    }

    @Test("A sort that takes too long in memory is done by an index instead, page by page", arguments: [0, 1_000])
    func tooLongToSort(others: Int64) throws {
        var source = try Self.source(records: 150, members: 100, others: others)
        let rare = QueryCondition(Self.rank, .isAny([.integer(1)]))
        for conditions in [[], [rare]] {
            var scan = Self.scan(filters: 1) { .holdsNone($0) }
            scan.conditions += conditions
            scan.orders = [QueryOrder(.createdAt)]
            scan.comparisonsLimit = 3_000
            source.open([IndexShape(type: 1, parts: [.value(Self.rank)])])
            var page = try QueryWalk.page(scan, source: &source)
            #expect(!page.isAnswered && page.records.isEmpty && page.work.comparisons <= 3_000 + 4_097)
            source.open(page.wanted)
            var found: [RecordNumber] = []
            repeat {
                page = try QueryWalk.page(scan, source: &source)
                #expect(page.isAnswered)
                found += page.records.map(\.number)
                scan.after = page.next
            } while scan.after != nil && found.count < 1_000
            #expect(found == Array(1...150))
        }
    }

    @Test("A brief scan skips a record whose list or text has more than 64 KB")
    func brief() throws {
        for (members, isLong) in [(32_000, false), (33_000, true)] {
            var source = try Self.source(records: 1, members: members)
            for filters in [1, 20] {
                var scan = Self.scan(filters: filters) { .holdsNone($0) }
                scan.isBrief = true
                let page = try QueryWalk.page(scan, source: &source)
                #expect(page.isGivenUp == (isLong || filters == 20) && page.work.bytes <= QueryScan.briefBytes)
                #expect(page.work.comparisons <= (isLong ? 0 : QueryScan.briefComparisons + 4_097))
            }
            // If the list is not examined, it is like any other record.
            var scan = Self.scan(filters: 0) { .holdsNone($0) }
            scan.isBrief = true
            #expect(try !QueryWalk.page(scan, source: &source).isGivenUp)
        }
    }

    @Test("A scan ends soon after its caller is gone, even within a record")
    func abandoned() throws {
        for others: Int64 in [0, 1_000] {
            var source = try Self.source(records: 2, members: 20_000, others: others)
            let scan = Self.scan(filters: 1) { .holdsNone($0) }
            source.abandonment = Abandonment()
            #expect(try QueryWalk.page(scan, source: &source).records.count == 2)
            source.isLeftAtFetch = true
            if others == 0 { source.abandonment?.abandon() }
            #expect(throws: StorageError.abandoned) { try QueryWalk.page(scan, source: &source) }
        }
    }

    // docs/decisions/0006
    @Test("However many queries wait, the members of a record are read once")
    func standing() throws {
        var standing = StandingQueries()
        for number in 0..<40 {
            let scan = Self.scan(filters: 20) { number.isMultiple(of: 2) ? .holdsNone($0) : .holdsNotAll($0) }
            standing.insert(number, type: 1, conditions: scan.conditions)
        }
        let matches = standing.matches(try Self.record(1, members: 50_000))
        #expect(matches.numbers.count == 40 && matches.examined == 40)
        #expect(matches.comparisons <= 50_000 + 40 * 20 * 250)
    }

    @Test("Queries that wait for a member of a list are found once, however often the list contains it")
    func waiting() throws {
        var standing = StandingQueries()
        for number in 0..<500 {
            standing.insert(
                number, type: 1, conditions: [QueryCondition(Fields.wholes, .holdsAny([.integer(7)]))])
        }
        let matches = standing.matches(try Self.record(1, members: 50_000))
        #expect(matches.numbers.count == 500 && matches.comparisons <= 51_000)
    }
}
