import NephosTesting
import Testing

extension ServerTests {
    /// The results of each comparator, type by type: docs/protocol.md, "Filters". Every row is queried on a shelf that is scanned
    /// completely and on one that needs indexes.
    @Suite struct QueryFilterTests {
        struct Case: CustomTestStringConvertible, Sendable {
            var testDescription: String
            var filters: [Shelf.Filter]
            var found: String

            init(_ rule: String, _ found: String, _ filters: Shelf.Filter...) {
                let text = filters.map { "\($0.field ?? "all fields") \($0.comparator) \($0.value)" }
                testDescription = "\(rule): \(text.joined(separator: ", "))"
                self.filters = filters
                self.found = found
            }

            init(
                _ rule: String, _ field: String?, _ comparator: String, _ value: String, tag: String? = nil,
                _ found: String
            ) {
                self.init(rule, found, Shelf.Filter(field, comparator, value, tag: tag))
            }

            var names: [String] { found.map(String.init) }
        }

        static let strings: [Case] = [
            Case("Q16", "s", "EQUALS", #""apple""#, "a"), Case("Q16", "s", "EQUALS", #""Apple""#, "b"),
            Case("Q16", "s", "EQUALS", #""""#, "d"), Case("Q16", "s", "EQUALS", #""éclair""#, "e"),
            Case("Q16", "s", "EQUALS", #""e\u0301clair""#, "f"), Case("Q16", "s", "EQUALS", #""nobody""#, ""),
            Case("Q13", "s", "NOT_EQUALS", #""apple""#, "bcdefg"),
            Case("Q12", "s", "IN", #"["apple","","nope","apple"]"#, tag: "STRING_LIST", "ad"),
            Case("Q13", "s", "NOT_IN", #"["apple","Apple"]"#, "cdefg"), Case("Q15", "s", "IN", "[]", ""),
            Case("Q15", "s", "NOT_IN", "[]", "abcdefg"), Case("Q16", "s", "LESS_THAN", #""apple""#, "bd"),
            Case("Q16", "s", "LESS_THAN_OR_EQUALS", #""apple""#, "abd"),
            Case("Q16", "s", "GREATER_THAN", #""apple""#, "cef"),
            Case("Q16", "s", "GREATER_THAN_OR_EQUALS", #""apple""#, "acef"),
            Case("Q16", "s", "BEGINS_WITH", #""apple""#, "ac"), Case("Q16", "s", "BEGINS_WITH", #""App""#, "b"),
            Case("Q16", "s", "BEGINS_WITH", #""""#, "abcdef"), Case("Q16", "s", "BEGINS_WITH", #""é""#, "e"),
            Case("Q13", "s", "NOT_BEGINS_WITH", #""apple""#, "bdefg"),
            Case("Q13", "s", "NOT_BEGINS_WITH", #""""#, "g"),
        ]

        static let numbers: [Case] = [
            Case("Q14", "n", "EQUALS", "1", "a"), Case("Q14", "n", "EQUALS", "0", tag: "INT64", "d"),
            Case("Q14", "n", "EQUALS", "9007199254740993", "c"), Case("Q14", "n", "EQUALS", "9223372036854775807", "e"),
            Case("Q14", "n", "EQUALS", "-9223372036854775808", "f"), Case("Q14", "n", "EQUALS", "1.0", "a"),
            Case("Q14", "n", "EQUALS", "1.5", ""), Case("Q14", "n", "NOT_EQUALS", "1.5", "abcdefg"),
            Case("Q13", "n", "NOT_EQUALS", "1", "bcdefg"), Case("Q14", "n", "IN", "[1,1.5,-5]", "ab"),
            Case("Q13", "n", "NOT_IN", "[1,0]", "bcefg"), Case("Q14", "n", "LESS_THAN", "0.5", "bdf"),
            Case("Q14", "n", "LESS_THAN", "0", "bf"), Case("Q14", "n", "LESS_THAN_OR_EQUALS", "-5", "bf"),
            Case("Q14", "n", "GREATER_THAN", "9007199254740992", "ce"), Case("Q14", "n", "GREATER_THAN", "1e300", ""),
            Case("Q14", "n", "LESS_THAN", "1e300", "abcdef"), Case("Q14", "n", "GREATER_THAN_OR_EQUALS", "1", "ace"),
            Case("Q14", "d", "EQUALS", "0", "bd"), Case("Q14", "d", "EQUALS", "-0.0", "bd"),
            Case("Q14", "d", "EQUALS", "1.5", "a"), Case("Q14", "d", "EQUALS", "9007199254740992", "c"),
            Case("Q14", "d", "EQUALS", "9007199254740993", ""),
            Case("Q14", "d", "EQUALS", "9007199254740993", tag: "DOUBLE", "c"),
            Case("Q14", "d", "LESS_THAN", "9007199254740993", "abcdf"),
            Case("Q14", "d", "GREATER_THAN_OR_EQUALS", "9007199254740993", "e"),
            Case("Q14", "d", "LESS_THAN", "0", "f"),
            Case("Q14", "d", "LESS_THAN_OR_EQUALS", "0", "bdf"), Case("Q13", "d", "NOT_EQUALS", "0", "acefg"),
            Case("Q14", "d", "IN", "[0,1.5]", tag: "DOUBLE_LIST", "abd"), Case("Q13", "d", "NOT_IN", "[0,1.5]", "cefg"),
            Case("Q14", "t", "EQUALS", "1000", tag: "TIMESTAMP", "ae"), Case("Q14", "t", "GREATER_THAN", "0", "abef"),
            Case("Q14", "t", "LESS_THAN", "0", "c"), Case("Q14", "t", "EQUALS", "9007199254740993", "f"),
            Case("Q13", "t", "NOT_IN", "[1000,2000]", "cdfg"), Case("Q13", "t", "NOT_EQUALS", "1000", "bcdfg"),
            // Times of programs that send a fraction of a millisecond.
            Case("F5", "t", "EQUALS", "1000.987", "ae"), Case("F5", "t", "IN", "[1000.5,2.0001e3]", "abe"),
            Case("F5", "t", "LESS_THAN", "1000.987", tag: "TIMESTAMP", "cd"),
            Case("F5", "t", "GREATER_THAN_OR_EQUALS", "1000.987", "abef"),
            Case("F5", "t", "EQUALS", #""-1.75""#, tag: "TIMESTAMP", "c"),
        ]

        static let others: [Case] = [
            Case("Q16", "b", "EQUALS", #""AAE=""#, tag: "BYTES", "a"), Case("Q16", "b", "EQUALS", #""""#, "d"),
            Case("Q16", "b", "LESS_THAN", #""AAEC""#, "ad"),
            Case("Q16", "b", "GREATER_THAN_OR_EQUALS", #""AAEC""#, "bc"),
            Case("Q13", "b", "NOT_EQUALS", #""""#, "abcefg"), Case("Q16", "b", "IN", #"["AQ==",""]"#, "bd"),
            Case("Q13", "b", "NOT_IN", #"["AQ==",""]"#, "acefg"),
            Case("Q16", "r", "EQUALS", #"{"recordName":"x"}"#, tag: "REFERENCE", "a"),
            Case("Q16", "r", "EQUALS", #"{"recordName":"x","action":"NONE","zoneID":{"zoneName":"Notes"}}"#, "a"),
            Case("Q16", "r", "IN", #"[{"recordName":"x"},{"recordName":"z"}]"#, "ac"),
            Case("Q13", "r", "NOT_EQUALS", #"{"recordName":"x"}"#, "bcdefg"),
            Case("Q13", "r", "NOT_IN", #"[{"recordName":"x"},{"recordName":"y"}]"#, "cdefg"),
            Case("Q7", "recordName", "EQUALS", #""c""#, "c"),
            Case("Q7", "___recordID", "EQUALS", #"{"recordName":"c"}"#, "c"),
            Case("Q7", "recordName", "IN", #"["g","a","nobody"]"#, "ag"),
            Case("Q7", "recordName", "NOT_EQUALS", #""c""#, "abdefg"),
            Case("Q7", "recordID", "NOT_IN", #"["a","b","c"]"#, "defg"),
            Case("Q16", "createdUserRecordName", "EQUALS", #""_defaultOwner""#, "abcdefg"),
            Case("Q16", "___modifiedBy", "EQUALS", #"{"recordName":"__defaultOwner__"}"#, "abcdefg"),
            Case("Q16", "creatorUserRecordID", "NOT_EQUALS", #""_defaultOwner""#, ""),
            Case("Q16", "createdUserRecordName", "IN", #"["_00000000000000000000000000000001"]"#, ""),
            Case("Q7", "createdTimestamp", "GREATER_THAN", "0", "abcdefg"),
            Case("Q7", "modificationDate", "LESS_THAN", "0", ""),
            Case("Q8", "parent", "EQUALS", #"{"recordName":"a"}"#, "bg"),
            Case("Q8", "___parent", "IN", #"["a","b"]"#, "bg"),
            Case("Q17", "c", .init("s", "BEGINS_WITH", #""apple""#), .init("n", "GREATER_THAN", "1")),
            Case("Q17", "bd", .init("n", "GREATER_THAN_OR_EQUALS", "-5"), .init("n", "LESS_THAN", "1")),
            Case("Q17", "b", .init("ss", "LIST_CONTAINS", #""red""#), .init("r", "EQUALS", #"{"recordName":"y"}"#)),
            Case("Q17", "a", .init("ss", "LIST_CONTAINS", #""red""#), .init("ss", "LIST_CONTAINS", #""blue""#)),
            Case("Q17", "", .init("n", "EQUALS", "1"), .init("n", "EQUALS", "0")),
            Case(
                "Q17", "g", .init("s", "NOT_BEGINS_WITH", #""""#), .init("n", "NOT_EQUALS", "1"),
                .init("parent", "EQUALS", #""a""#)),
        ]

        static let lists: [Case] = [
            Case("Q10", "ss", "LIST_CONTAINS", #""red""#, tag: "STRING", "ab"),
            Case("Q13", "ss", "NOT_LIST_CONTAINS", #""red""#, "cdefg"),
            Case("Q10", "ss", "LIST_CONTAINS_ANY", #"["blue","green"]"#, tag: "STRING_LIST", "abe"),
            Case("Q13", "ss", "NOT_LIST_CONTAINS_ANY", #"["blue","green"]"#, "cdfg"),
            Case("Q10", "ss", "LIST_CONTAINS_ALL", #"["red","blue"]"#, "a"),
            Case("Q13", "ss", "NOT_LIST_CONTAINS_ALL", #"["red","blue"]"#, "bcdefg"),
            Case("Q15", "ss", "LIST_CONTAINS_ANY", "[]", ""),
            Case("Q15", "ss", "NOT_LIST_CONTAINS_ANY", "[]", "abcdefg"),
            Case("Q15", "ss", "LIST_CONTAINS_ALL", "[]", "abcdef"),
            Case("Q15", "ss", "NOT_LIST_CONTAINS_ALL", "[]", "g"),
            Case("Q10", "ss", "LIST_MEMBER_BEGINS_WITH", #""red""#, "abc"),
            Case("Q16", "ss", "LIST_MEMBER_BEGINS_WITH", #""""#, "abcef"),
            Case("Q13", "ss", "NOT_LIST_MEMBER_BEGINS_WITH", #""red""#, "defg"),
            Case("Q10", "ss", "CONTAINS_ANY", #"["reddish"]"#, "c"), Case("Q16", "ss", "LIST_CONTAINS", #""é""#, "f"),
            Case("Q14", "ns", "LIST_CONTAINS", "2", "ab"), Case("Q14", "ns", "LIST_CONTAINS", "9007199254740993", "c"),
            Case("Q14", "ns", "LIST_CONTAINS", "1.5", ""), Case("Q14", "ns", "LIST_CONTAINS_ALL", "[1,1.5]", ""),
            Case("Q14", "ns", "NOT_LIST_CONTAINS_ALL", "[1,1.5]", "abcdefg"),
            Case("Q14", "ns", "LIST_CONTAINS_ANY", "[0,1]", "ae"),
            Case("Q14", "ns", "LIST_CONTAINS_ALL", "[2,3,2]", "b"),
            Case("Q14", "ds", "LIST_CONTAINS", "0", "c"), Case("Q14", "ds", "LIST_CONTAINS", "9007199254740992", "b"),
            Case("Q14", "ds", "LIST_CONTAINS_ANY", "[0.5,-0.0]", tag: "DOUBLE_LIST", "ac"),
            Case("Q14", "ts", "LIST_CONTAINS", "5", tag: "TIMESTAMP", "ab"),
            Case("Q14", "ts", "LIST_CONTAINS_ALL", "[5,6]", "b"),
            Case("F5", "ts", "LIST_CONTAINS", "5.5", "ab"), Case("F5", "ts", "LIST_CONTAINS_ALL", "[5.1,6.9]", "b"),
            Case("Q16", "bs", "LIST_CONTAINS", #""AQ==""#, "b"),
            Case("Q16", "bs", "NOT_LIST_CONTAINS", #""AQ==""#, "acdefg"),
            Case("Q16", "rs", "LIST_CONTAINS", #"{"recordName":"y"}"#, "ab"),
            Case("Q16", "rs", "LIST_CONTAINS_ALL", #"[{"recordName":"x"},{"recordName":"y"}]"#, "a"),
            Case("Q16", "rs", "NOT_LIST_CONTAINS", #"{"recordName":"x"}"#, "bcdefg"),
        ]

        static let words: [Case] = [
            Case("Q19", "text", "CONTAINS_ALL_TOKENS", #""fox""#, "ab"),
            Case("Q19", "text", "CONTAINS_ALL_TOKENS", #""QUICK fox""#, "a"),
            Case("Q19", "text", "CONTAINS_ANY_TOKENS", #""quick noir""#, "ac"),
            Case("Q19", "text", "CONTAINS_ALL_TOKENS", #""quickly""#, "b"),
            Case("Q19", "text", "CONTAINS_ALL_TOKENS", #""cafe""#, "ce"),
            Case("Q19", "text", "CONTAINS_ANY_TOKENS", #""CAFÉ""#, "ce"),
            Case("Q19", "text", "CONTAINS_ALL_TOKENS", #""the""#, ""),
            Case("Q19", "text", "CONTAINS_ANY_TOKENS", #""the a of""#, ""),
            Case("Q19", "text", "CONTAINS_ALL_TOKENS", #""the fox""#, "ab"),
            Case("Q19", "text", "CONTAINS_ALL_TOKENS", #""""#, ""),
            Case("Q19", "text", "CONTAINS_ALL_TOKENS", #"" ,;! ""#, ""),
            Case("Q19", "text", "CONTAINS_ALL_TOKENS", #""brow""#, ""),
            Case("Q19", "ss", "CONTAINS_ANY_TOKENS", #""red""#, "ab"),
            Case("Q19", "ss", "CONTAINS_ALL_TOKENS", #""RED blue""#, "a"),
            Case("Q19", "ss", "CONTAINS_ALL_TOKENS", #""e""#, "f"),
            Case("Q19", nil, "CONTAINS_ALL_TOKENS", #""brown""#, "ae"),
            Case("Q19", nil, "CONTAINS_ALL_TOKENS", #""blue brown""#, "ae"),
            Case("Q19", nil, "CONTAINS_ANY_TOKENS", #""red two""#, "abf"),
            Case(
                "Q17", "b", .init(nil, "CONTAINS_ALL_TOKENS", #""fox""#),
                .init("text", "CONTAINS_ANY_TOKENS", #""quickly noir""#)),
        ]

        private func prove(_ row: Case, _ size: Shelf.Size) throws {
            let shelf = try Shelf.shared(size)
            #expect(try shelf.names(row.filters) == row.names)
            #expect(try shelf.names(row.filters, page: 2) == row.names, "in pages of 2")
            // Another order, so that the filter and not the order determines the path.
            let falling = try shelf.names(row.filters, sortBy: ["fieldName": "recordName", "ascending": false])
            #expect(falling == row.names.reversed())
        }

        @Test(arguments: strings, Shelf.Size.allCases) func textsAreCompared(_ row: Case, _ size: Shelf.Size) throws {
            try prove(row, size)
        }

        @Test(arguments: numbers, Shelf.Size.allCases) func numbersAreCompared(_ row: Case, _ size: Shelf.Size) throws {
            try prove(row, size)
        }

        @Test(arguments: others, Shelf.Size.allCases) func otherValuesAreCompared(_ row: Case, _ size: Shelf.Size)
            throws
        {
            try prove(row, size)
        }

        @Test(arguments: lists, Shelf.Size.allCases) func listsAreLookedInto(_ row: Case, _ size: Shelf.Size) throws {
            try prove(row, size)
        }

        @Test(arguments: words, Shelf.Size.allCases) func wordsAreFound(_ row: Case, _ size: Shelf.Size) throws {
            try prove(row, size)
        }

        // docs/protocol.md Q12
        @Test func aListHas250ValuesAtMost() throws {
            let shelf = try Shelf.shared(.large)
            func list(_ count: Int) -> String { "[\((0..<count).map(String.init).joined(separator: ","))]" }
            #expect(try shelf.names([.init("n", "IN", list(250))]) == ["a", "d"])
            let query: JSON = ["recordType": "Item", "filterBy": try Shelf.Filter("n", "IN", list(251)).json()]
            let refusal = try expectRefused(
                try shelf.ada.post("records/query", .private, ["query": query]), "BAD_REQUEST")
            #expect(refusal["reason"].string?.contains("at most 250 elements") == true)
        }
    }
}
