import CoreLocation
import Foundation
import Testing

@testable import NephosKit

/// The meaning of formats, framework-api §13.6 and §15.1.
@Suite struct FormatTests {
    static let table: [(String, PredicateTree)] = [
        ("TRUEPREDICATE", .always), ("truepredicate", .always), ("FALSEPREDICATE", .never),
        ("(TRUEPREDICATE)", .always),
        ("a = 1", .compare("a", .equal, .int64(1))), ("a==1", .compare("a", .equal, .int64(1))),
        ("a != 'x'", .compare("a", .notEqual, .string("x"))), ("a <> \"x\"", .compare("a", .notEqual, .string("x"))),
        ("a<1", .compare("a", .less, .int64(1))), ("a <= 1", .compare("a", .lessOrEqual, .int64(1))),
        ("a =< 1", .compare("a", .lessOrEqual, .int64(1))), ("a > 1", .compare("a", .greater, .int64(1))),
        ("a >= 1.5", .compare("a", .greaterOrEqual, .double(1.5))),
        ("a => .5", .compare("a", .greaterOrEqual, .double(0.5))),
        ("a > -5", .compare("a", .greater, .int64(-5))),
        ("a=-9223372036854775808", .compare("a", .equal, .int64(.min))),
        ("a = 9223372036854775807", .compare("a", .equal, .int64(.max))),
        ("a = 0x1F", .compare("a", .equal, .int64(31))),
        ("a = 1e3", .compare("a", .equal, .double(1000))), ("a = 2.5e-1", .compare("a", .equal, .double(0.25))),
        ("a = TRUE", .compare("a", .equal, .int64(1))), ("a = no", .compare("a", .equal, .int64(0))),
        ("a = nil", .compare("a", .equal, .null)), ("a != NULL", .compare("a", .notEqual, .null)),
        (#"a = 'it\'s \\ \"\n\u00e9'"#, .compare("a", .equal, .string("it's \\ \"\né"))),
        ("a = \"it's\"", .compare("a", .equal, .string("it's"))),
        ("a = '%@ %d'", .compare("a", .equal, .string("%@ %d"))),
        ("a BETWEEN {1, 5}", .compare("a", .between, .list([.int64(1), .int64(5)]))),
        ("a IN {'x', 'y'}", .compare("a", .isIn, .list("x", "y"))), ("a in {}", .compare("a", .isIn, .list([]))),
        ("'x' IN a", .value(.string("x"), .isIn, in: "a")), ("a CONTAINS 'x'", .compare("a", .contains, .string("x"))),
        ("a BeginsWith 'x'", .compare("a", .beginsWith, .string("x"))),
        ("ANY a = 'x'", .compare("a", .equal, .string("x"), .any)),
        ("some a = 'x'", .compare("a", .equal, .string("x"), .any)),
        ("ANY {'x','y'} = a", .value(.list("x", "y"), .equal, in: "a", .any)),
        ("ANY a BEGINSWITH 'x'", .compare("a", .beginsWith, .string("x"), .any)),
        ("ALL a > 1", .compare("a", .greater, .int64(1), .all)),
        ("NONE a > 1", .compare("a", .greater, .int64(1), .none)),
        ("NOT a = 1", .not(.compare("a", .equal, .int64(1)))), ("!(a = 1)", .not(.compare("a", .equal, .int64(1)))),
        ("NOT NOT TRUEPREDICATE", .not(.not(.always))),
        (
            "a = 1 AND b = 2 && c = 3",
            .and([.compare("a", .equal, .int64(1)), .compare("b", .equal, .int64(2)), .compare("c", .equal, .int64(3))])
        ),
        (
            "a = 1 OR b = 2 and c = 3",
            .or([
                .compare("a", .equal, .int64(1)),
                .and([.compare("b", .equal, .int64(2)), .compare("c", .equal, .int64(3))]),
            ])
        ),
        (
            "(a = 1 || b = 2) AND c = 3",
            .and([
                .or([.compare("a", .equal, .int64(1)), .compare("b", .equal, .int64(2))]),
                .compare("c", .equal, .int64(3)),
            ])
        ),
        ("((((a)) = ((1))))", .compare("a", .equal, .int64(1))),
        ("a =[cd] 'x'", .compare("a", .equal, .string("x"), options: [.caseInsensitive, .diacriticInsensitive])),
        ("a LIKE[c] 'x*'", .compare("a", .like, .string("x*"), options: .caseInsensitive)),
        ("a MATCHES 'x.*'", .compare("a", .matches, .string("x.*"))),
        ("a ENDSWITH 'x'", .compare("a", .endsWith, .string("x"))),
        ("self CONTAINS 'x y'", .search(PredicateSearch(text: "x y"))),
        ("SELF contains[cd] 'x'", .search(PredicateSearch(text: "x"))),
        ("allTokens TOKENMATCHES[cdl] 'x y'", .search(PredicateSearch(text: "x y"))),
        ("a TOKENMATCHES[cdl] 'x'", .search(PredicateSearch(field: "a", text: "x"))),
        ("ALL tokenize('x y', 'Cdl') IN allTokens", .search(PredicateSearch(text: "x y", wantsAll: true))),
        ("self CONTAINS tokenize:using:('x y', 'Cdl')", .search(PredicateSearch(text: "x y"))),
        ("ANY tokenize('x') IN allTokens", .search(PredicateSearch(text: "x"))),
        ("creationDate < now()", .compare("creationDate", .less, .now)),
        ("___createTime < NOW()", .compare("___createTime", .less, .now)),
        ("a BETWEEN {now(), now()}", .compare("a", .between, .list([.now, .now]))),
        ("self.a = 1", .compare("a", .equal, .int64(1))), ("#size = 1", .compare("size", .equal, .int64(1))),
        ("#in = 1", .compare("in", .equal, .int64(1))), ("size = 1", .compare("size", .equal, .int64(1))),
        ("cloudkit.title = 'x'", .compare("cloudkit.title", .equal, .string("x"))),
        ("a = CAST(0, 'NSDate')", .compare("a", .equal, .timestamp(978_307_200_000))),
        ("CAST('in', 'KEY') = 1", .compare("in", .equal, .int64(1))),
    ]

    @Test("A format parses to its tree", arguments: table) func formats(format: String, expected: PredicateTree) {
        #expect(tree(format) == expected)
    }

    static let date = Date(timeIntervalSince1970: 1.5)
    static let recordID = CKRecord.ID(recordName: "r", zoneID: CKRecordZoneID(zoneName: "z", ownerName: "o"))
    static let reference = PredicateConstant.reference(
        PredicateReference(recordName: "r", zoneName: "z", ownerName: "o"))

    @Test func argumentsOfEveryTypeAreTheirConstants() {
        let location = CLLocation(latitude: 1, longitude: 2)
        let values: [(Any, PredicateConstant)] = [
            ("x", .string("x")), ("x" as NSString, .string("x")), (5, .int64(5)), (Int8(-5), .int64(-5)),
            (UInt64.max, .double(0x1p64)), (2.5, .double(2.5)), (Float(2.5), .double(2.5)), (true, .int64(1)),
            (NSNumber(value: 5), .int64(5)), (NSNumber(value: 1.0), .double(1)), (NSNumber(value: true), .int64(1)),
            (NSNumber(value: UInt64.max), .double(0x1p64)), (Self.date, .timestamp(1_500)),
            (Self.date as NSDate, .timestamp(1_500)), (Data([1, 2]), .bytes([1, 2])),
            (Data([1, 2]) as NSData, .bytes([1, 2])), (NSNull(), .null), (location, .place(1, 2)),
            (Self.recordID, Self.reference),
            (CKReference(recordID: Self.recordID, action: .deleteSelf), Self.reference),
            (CKRecord(recordType: "T", recordID: Self.recordID), Self.reference), (["x", "y"], .list("x", "y")),
            (["x", "y"] as NSArray, .list("x", "y")), (Set(["x"]), .list("x")), (NSSet(object: 5), .list([.int64(5)])),
            ([] as [String], .list([])), ([Self.recordID], .list([Self.reference])),
            ([Self.date], .list([.timestamp(1_500)])),
        ]
        for (value, constant) in values {
            #expect(tree("a IN %@", value) == .compare("a", .isIn, constant), "\(type(of: value)) \(value)")
        }
    }

    @Test func specifiersTakeArgumentsInTheirOrder() {
        let expected = PredicateTree.and([
            .compare("k", .equal, .int64(1)), .compare("b", .equal, .double(2)), .compare("c", .equal, .int64(3)),
        ])
        for whole in ["d", "i", "u", "ld", "lu", "lld", "llu", "hd", "qd", "zd", "x", "D"] {
            for part in ["f", "lf", "g", "e"] {
                #expect(tree("%K == %\(whole) AND b = %\(part) AND c = %@", "k", 1, 2.0, 3) == expected)
            }
        }
        #expect(tree("a = %d", 1.9) == .compare("a", .equal, .int64(1)))
        #expect(tree("a = %f", 1) == .compare("a", .equal, .double(1)))
        #expect(tree("%K = 1", "self") == tree("self = 1") && tree("%K = 1", "and") == tree("#and = 1"))
        #expect(tree("a = 1", "too many") == tree("a = 1"))
    }

    @Test(
        "An invalid format is rejected with the reason",
        arguments: [
            "", "a", "a =", "= 1", "a = 1 AND", "AND a = 1", "a = 1 b = 2", "(a = 1", "a = 1)", "a = 'x", "a = \"x\\",
            "a = {1, 2", "a IN 1,2", "a == @", "a = 5.5.5", "a = 1x", "a NOT IN {1}", "ANY", "ANY a", "ANY (a = 1)",
            "a =[q] 1", "a =[c 1", "NOT", "(a) AND (b)", "a = (b = 1)", "a ? 1", "a = '\\u12'", "CAST(1) AND",
            "a = foo(",
            "a = SUBQUERY(b, $x, $x = 1", "a = %y", "a = %", "and = 1", "x = ;", "MALFORMEDPREDICATE(1)", "a[0 = 1",
        ]) func malformed(format: String)
    {
        #expect(tree(format).isMalformed)
    }

    @Test func argumentsThatAreMissingOrOfAnotherTypeMakeItMalformed() {
        #expect(tree("a = %@ AND b = %@", 1).isMalformed && tree("a = %d").isMalformed && tree("%K = 1").isMalformed)
        #expect(tree("a = %d", "x").isMalformed && tree("a = %f", "x").isMalformed && tree("%K = 1", 1).isMalformed)
        guard case .malformed(let reason) = tree("a = %@") else { return #expect(Bool(false)) }
        #expect(reason == "\"a = %@\" is not a valid predicate format: it needs more arguments than were passed")
    }

    @Test func nestingHasAnEndAndLengthHasNone() {
        func nested(_ open: String, _ close: String, _ count: Int) -> PredicateTree {
            tree(String(repeating: open, count: count) + "a = 1" + String(repeating: close, count: count))
        }
        #expect(nested("(", ")", 90) == tree("a = 1"))
        for (open, close) in [
            ("(", ")"), ("NOT ", ""), ("!", ""), ("b = {", "}"), ("-", ""), ("f(", ")"), ("CAST(", ")"),
        ] {
            _ = nested(open, close, 90)
            let deep = nested(open, close, 50_000)
            #expect(open == "f(" || deep.isMalformed, "\(open)")
        }
        let long = tree(Array(repeating: "a = 1", count: 5_000).joined(separator: " AND "))
        #expect(long == .and(Array(repeating: tree("a = 1"), count: 5_000)))
    }
}
