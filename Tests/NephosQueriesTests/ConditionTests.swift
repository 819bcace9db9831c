import CloudKitWire
import NephosQueries
import NephosStorage
import Testing

/// The semantics of conditions; docs/requirements.md and docs/protocol.md, queries.
@Suite struct ConditionTests {
    private func passes(_ field: RecordField, _ test: QueryCondition.Test, _ fields: [String: PlainValue]) throws
        -> Bool
    {
        QueryCondition(field, test).matches(try PlainRecord(number: 1, zone: 1, name: "n", fields: fields).row())
    }

    @Test("A missing value matches only negated conditions")
    func missing() throws {
        let x = QueryValue.bytes(Bytes("x"))
        for test: QueryCondition.Test in [
            .isAny([x]), .isBetween(nil, nil), .beginsWith(Bytes("")), .holdsAny([x]), .holdsAll([]),
            .memberBeginsWith(Bytes("")),
            .hasTokens([Bytes("x")], all: true),
        ] { for field in [Fields.text, Fields.tags] { #expect(try !passes(field, test, [:])) } }
        for test: QueryCondition.Test in [
            .isNone([x]), .beginsNotWith(Bytes("")), .holdsNone([x]), .holdsNotAll([x]), .holdsNotAll([]),
            .noMemberBeginsWith(Bytes("")),
        ] { for field in [Fields.text, Fields.tags] { #expect(try passes(field, test, [:])) } }
        #expect(try !passes(Fields.place, .isNear(Place(latitude: 0, longitude: 0), metres: 1e9), [:]))
    }

    @Test("Integers and doubles are compared exactly")
    func numbers() throws {
        let big: Int64 = 9_007_199_254_740_993
        let double = { ["number": PlainValue.number($0)] }
        #expect(try !passes(Fields.number, .isAny([.integer(big)]), double(9_007_199_254_740_992)))
        #expect(try passes(Fields.number, .isAny([.integer(3)]), double(3)))
        let above = QueryCondition.Test.isBetween(.init(.integer(big), isIncluded: true), nil)
        #expect(try !passes(Fields.number, above, double(9_007_199_254_740_992)))
        #expect(try passes(Fields.number, above, double(9_007_199_254_740_994)))
        let below = QueryCondition.Test.isBetween(nil, .init(.integer(big), isIncluded: false))
        #expect(try passes(Fields.number, below, double(9_007_199_254_740_992)))
        #expect(try !passes(Fields.number, below, double(9_007_199_254_740_994)))
        #expect(try passes(Fields.number, .isBetween(nil, .init(.integer(.max), isIncluded: true)), double(0x1p62)))
        #expect(try !passes(Fields.number, .isBetween(nil, .init(.integer(.max), isIncluded: true)), double(0x1p63)))
        #expect(try passes(Fields.number, .isBetween(.init(.integer(.max), isIncluded: false), nil), double(0x1p63)))
        #expect(try passes(Fields.number, .isAny([.double(-0.0)]), double(0)))
        let whole = { ["whole": PlainValue.whole($0)] }
        for (number, isGreater, isLess) in [(2, false, true), (3, true, false)] as [(Int64, Bool, Bool)] {
            for isIncluded in [false, true] {
                let bound = QueryCondition.Bound(.double(2.5), isIncluded: isIncluded)
                #expect(try passes(Fields.whole, .isBetween(bound, nil), whole(number)) == isGreater)
                #expect(try passes(Fields.whole, .isBetween(nil, bound), whole(number)) == isLess)
            }
        }
        #expect(
            try passes(
                Fields.whole,
                .isBetween(.init(.double(-1e30), isIncluded: false), .init(.double(1e30), isIncluded: false)),
                whole(.min)))
        #expect(try !passes(Fields.whole, .isBetween(.init(.double(1e30), isIncluded: false), nil), whole(.max)))
    }

    @Test("Strings are compared byte by byte, whatever their appearance")
    func strings() throws {
        let text = { ["text": PlainValue.text($0)] }
        #expect(try !passes(Fields.text, .isAny([.bytes(Bytes("é"))]), text("e\u{301}")))
        #expect(try !passes(Fields.text, .isAny([.bytes(Bytes("A"))]), text("a")))
        #expect(try passes(Fields.text, .beginsWith(Bytes("")), text("")))
        #expect(try passes(Fields.text, .isBetween(.init(.bytes(Bytes("Z")), isIncluded: false), nil), text("a")))
    }

    @Test("Conditions on lists: any, all, none or not all of some values")
    func lists() throws {
        let list = ["wholes": PlainValue.wholes([1, 2, 2])]
        let values = { (numbers: [Int64]) in numbers.map { QueryValue.integer($0) } }
        for (test, isMet) in [
            (.holdsAny(values([2, 9])), true), (.holdsAny(values([9])), false), (.holdsAny([]), false),
            (.holdsAll(values([1, 2])), true), (.holdsAll(values([1, 9])), false), (.holdsAll([]), true),
            (.holdsNone(values([9])), true), (.holdsNone(values([9, 1])), false), (.holdsNone([]), true),
            (.holdsNotAll(values([1, 9])), true), (.holdsNotAll(values([1, 2])), false),
            (.holdsAll([.double(1.5)]), false), (.holdsNotAll([.double(1.5)]), true), (.holdsAny([.double(2)]), true),
        ] as [(QueryCondition.Test, Bool)] { #expect(try passes(Fields.wholes, test, list) == isMet, "\(test)") }
    }

    @Test("Words are searched in all fields together; an empty list of words matches as ALL and not as ANY")
    func words() throws {
        let row = try PlainRecord(
            number: 1, zone: 1, name: "n", fields: ["text": .text("Red Cat"), "tags": .texts(["blue sky", "dog"])]
        ).row()
        func passes(_ words: [String], _ all: Bool) -> Bool {
            QueryCondition([Fields.text, Fields.tags], .hasTokens(words.map { Bytes($0) }, all: all)).matches(row)
        }
        #expect(passes(["cat", "sky"], true) && passes(["cat", "cat", "dog", "red", "blue"], true))
        #expect(!passes(["cat", "cow"], true) && passes(["cat", "cow"], false) && !passes(["cow", "ca"], false))
        #expect(passes([], true) && !passes([], false))
    }
}
