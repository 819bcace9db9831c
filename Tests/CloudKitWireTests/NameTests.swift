import CloudKitWire
import Testing

/// The basic values.
@Suite struct NameTests {
    @Test func namesCompareByBytes() {
        let sorted: [Name] = ["", "A", "Z", "a", "aa", "ab", "e\u{301}", "z", "é", "漢", "🌱"]
        #expect(sorted.shuffled().sorted() == sorted)
        #expect(Name("é") != Name("e\u{301}") && Set([Name("é"), Name("e\u{301}"), Name("é")]).count == 2)
        #expect(Name("a\u{0}") != Name("a") && Name("a").owned == Name("a"))
    }

    @Test func aUserHasOneSpelling() {
        let user = UserID(high: 0x0123_4567_89ab_cdef, low: 0xfedc_ba98_7654_3210)
        #expect(user.recordName == "_0123456789abcdeffedcba9876543210" && UserID(recordName: user.recordName) == user)
        for other in [
            "", "_", "_0123456789ABCDEFfedcba9876543210", "x0123456789abcdeffedcba9876543210", user.recordName + "0",
        ] {
            #expect(UserID(recordName: other) == nil)
        }
    }

    @Test(arguments: FieldType.allCases) func eachTypeIsReadFromItsTag(type: FieldType) {
        #expect(FieldType(tag: type.tag) == type)
        #expect(type.element?.list == (type.element == nil ? nil : type))
    }

    @Test func desiredKeysAreSortedAndUnique() {
        #expect(DesiredKeys(["b", "a", "b"]).names == ["a", "b"] && DesiredKeys([]).names.isEmpty)
    }
}
