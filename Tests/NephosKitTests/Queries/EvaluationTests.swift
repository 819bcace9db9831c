import Foundation
import NephosTesting
import Testing

@testable import NephosKit

/// Predicates evaluated on the client, by the rules of docs/protocol.md, "Filters" (Q10 to Q19).
@Suite struct EvaluationTests {
    /// A record as plain Swift values.
    struct Plain {
        var whole: Int64?
        var part: Double?
        var text: String?
        var date: Int64?
        var texts: [String]?
        var owner: String?

        var fields: [String: Any] {
            var fields: [String: Any] = ["creationDate": "not asked for", "recordName": "r"]
            fields["whole"] = whole
            fields["part"] = part
            fields["text"] = text
            fields["createdTimestamp"] = date.map { Date(timeIntervalSince1970: Double($0) / 1000) }
            fields["texts"] = texts
            fields["owner"] = owner.map { CKRecord.ID(recordName: $0) }
            return fields
        }
    }

    /// A tree, and its meaning in plain Swift: whether it holds, and whether its negation does.
    struct Modelled {
        var tree: PredicateTree
        var holds: (Plain) -> Bool
        var isDenied: (Plain) -> Bool

        init(_ tree: PredicateTree, _ holds: @escaping (Plain) -> Bool, denied: ((Plain) -> Bool)? = nil) {
            self.tree = tree
            self.holds = holds
            isDenied = denied ?? { !holds($0) }
        }
    }

    struct RandomModel {
        var random: RandomTrees

        mutating func record() -> Plain {
            Plain(
                whole: random.pick([nil, -1, 0, 1, 2, 1 << 53 + 1]), part: random.pick([nil, -1, 0, 0.5, 1, 0x1p53]),
                text: random.pick([nil, "", "a", "ab", "b", "é", "e\u{301}"]),
                date: random.pick([nil, -1_000, 0, 1_500]),
                texts: random.pick([nil, [], ["a"], ["a", "b"], ["ab", "b"]]), owner: random.pick([nil, "a", "b"]))
        }

        mutating func modelled(depth: Int) -> Modelled {
            switch Int.random(in: 0..<(depth > 0 ? 10 : 7), using: &random.generator) {
            case 7:
                let inner = modelled(depth: depth - 1)
                return Modelled(.not(inner.tree), inner.isDenied, denied: inner.holds)
            case 8:
                let parts = (0..<2).map { _ in modelled(depth: depth - 1) }
                return Modelled(.and(parts.map(\.tree)), { record in parts.allSatisfy { $0.holds(record) } })
            case 9:
                let parts = (0..<2).map { _ in modelled(depth: depth - 1) }
                return Modelled(.or(parts.map(\.tree)), { record in parts.contains { $0.holds(record) } })
            case 0: return order("whole", { $0.whole }, random.pick([-1, 0, 1, 2]), PredicateConstant.int64)
            case 1: return order("part", { $0.part }, random.pick([-1, 0, 0.5, 1]), PredicateConstant.double)
            case 2:
                return order("creationDate", { $0.date }, random.pick([-1_000, 0, 1_500]), PredicateConstant.timestamp)
            case 3: return mixed()
            case 4: return text()
            case 5: return list()
            default:
                let name = random.pick(["a", "b", "c"])
                return Modelled(
                    .compare("owner", .equal, .reference(PredicateReference(recordName: name, zoneName: "other"))),
                    { $0.owner == name })
            }
        }

        private mutating func order<Value: Comparable>(
            _ field: String, _ get: @escaping (Plain) -> Value?, _ value: Value,
            _ constant: (Value) -> PredicateConstant
        ) -> Modelled {
            func leaf(
                _ relation: PredicateComparison.Relation, _ holds: @escaping (Value, Value) -> Bool,
                missing: Bool = false
            ) -> Modelled {
                Modelled(
                    .compare(field, relation, constant(value)),
                    { record in get(record).map { holds($0, value) } ?? missing },
                    denied: { record in
                        get(record).map { !holds($0, value) } ?? (relation == .equal)
                    })
            }
            switch Int.random(in: 0..<7, using: &random.generator) {
            case 0: return leaf(.equal, ==)
            case 1: return leaf(.notEqual, !=, missing: true)
            case 2: return leaf(.less, <)
            case 3: return leaf(.lessOrEqual, <=)
            case 4: return leaf(.greater, >)
            case 5: return leaf(.greaterOrEqual, >=)
            default:
                return Modelled(
                    .compare(field, .between, .list([constant(value), constant(value)])), { get($0) == value })
            }
        }

        /// Whole numbers and fractions are compared exactly, Q14.
        private mutating func mixed() -> Modelled {
            switch Int.random(in: 0..<4, using: &random.generator) {
            case 0:
                Modelled(
                    .compare("whole", .greater, .double(0.5)), { ($0.whole ?? 0) >= 1 },
                    denied: { $0.whole.map { $0 <= 0 } ?? false })
            case 1: Modelled(.compare("whole", .equal, .double(0x1p53)), { _ in false })
            case 2: Modelled(.compare("part", .less, .int64(1 << 53 + 1)), { $0.part != nil }, denied: { _ in false })
            default:
                Modelled(
                    .compare("whole", .isIn, .list([.double(1), .int64(2), .double(0.5)])),
                    { [1, 2].contains($0.whole) })
            }
        }

        private mutating func text() -> Modelled {
            let value = random.pick(["", "a", "é", "ab"])
            func bytes(_ record: Plain) -> [UInt8]? { record.text.map { Array($0.utf8) } }
            let wanted = Array(value.utf8)
            switch Int.random(in: 0..<5, using: &random.generator) {
            case 0: return Modelled(.compare("text", .equal, .string(value)), { bytes($0) == wanted })
            case 1:
                return Modelled(
                    .compare("text", .beginsWith, .string(value)), { bytes($0)?.starts(with: wanted) ?? false })
            case 2:
                return Modelled(
                    .compare("text", .isIn, .list("b", value)), { bytes($0) == wanted || bytes($0) == [98] })
            case 3: return Modelled(.compare("text", .endsWith, .string("b")), { bytes($0)?.last == 98 })
            default:
                return Modelled(
                    .value(.list("b", value), .equal, in: "text", .any), { bytes($0) == wanted || bytes($0) == [98] })
            }
        }

        private mutating func list() -> Modelled {
            let value = random.pick(["a", "b", "ab"])
            let holds = { (record: Plain) in record.texts?.contains(value) ?? false }
            switch Int.random(in: 0..<6, using: &random.generator) {
            case 0: return Modelled(.compare("texts", .contains, .string(value)), holds)
            case 1: return Modelled(.value(.string(value), .isIn, in: "texts"), holds)
            case 2: return Modelled(.compare("texts", .equal, .string(value), .any), holds)
            case 3:
                return Modelled(
                    .compare("texts", .beginsWith, .string("a"), .any),
                    { $0.texts?.contains { $0.hasPrefix("a") } ?? false })
            case 4:
                return Modelled(
                    .compare("texts", .isIn, .list("b", value), .any),
                    { $0.texts?.contains { $0 == "b" || $0 == value } ?? false })
            default:
                return Modelled(
                    .value(.list("a", value), .isIn, in: "texts", .all),
                    { record in record.texts.map { $0.contains("a") && $0.contains(value) } ?? false })
            }
        }
    }

    @Test("Random trees have the same meaning as plain Swift", arguments: Seeds.all(20)) func model(seed: UInt64) {
        var model = RandomModel(random: RandomTrees(seed: seed))
        var passed = 0
        for _ in 0..<300 {
            let (modelled, record) = (model.modelled(depth: 3), model.record())
            let expected = modelled.holds(record)
            if expected { passed += 1 }
            #expect(
                modelled.tree.evaluate(with: record.fields) == expected,
                "SEED=\(seed) \(modelled.tree.predicateText) \(record)")
            #expect(NSPredicate(tree: modelled.tree).evaluate(with: record.fields) == expected)
        }
        #expect((50..<250).contains(passed))
    }

    static let table: [(String, Bool)] = [
        ("t = 'Ab'", true), ("t = 'ab'", false), ("t =[c] 'aB'", true), ("u =[d] 'e'", true), ("u =[cd] 'É'", true),
        ("t LIKE 'A*'", true), ("t LIKE '?b'", true), ("t LIKE '?'", false), ("t LIKE '*'", true),
        ("t LIKE[c] 'a*b*'", true),
        ("t MATCHES '[A-Z][a-z]'", true), ("t MATCHES 'A'", false), ("t MATCHES[c] 'ab'", true),
        ("t MATCHES '('", false),
        ("NOT t MATCHES '('", false), ("t CONTAINS 'b'", true), ("t CONTAINS ''", true), ("t CONTAINS 'x'", false),
        ("t ENDSWITH 'b'", true), ("t ENDSWITH[c] 'B'", true), ("missing = nil", true), ("t = nil", false),
        ("t != nil", true),
        ("missing != nil", false), ("missing != 'x'", true), ("missing < 1", false), ("NOT missing < 1", false),
        ("NOT missing BEGINSWITH 'x'", true), ("NOT missing IN {'x'}", true), ("ALL n > 0", true), ("ALL n > 1", false),
        ("NONE n > 2", true), ("NONE n > 1", false), ("ANY n != 1", true), ("ANY missing = 1", false),
        ("ANY t = 'Ab'", false),
        ("NOT ANY t = 'Ab'", false), ("t = 5", false), ("NOT t = 5", false), ("t = 5 OR t = 'Ab'", true),
        ("t = 5 AND t = 'Ab'", false), ("1 = 1", true), ("5 < 4", false), ("n = {1, 2}", true), ("n = {2, 1}", false),
        ("d = CAST(1500, 'TIMESTAMP')", true), ("d > now()", false), ("d < now()", true),
        ("d BETWEEN {now(), now()}", false),
        ("b = CAST('AQI=', 'BYTES')", true), ("b > CAST('AQE=', 'BYTES')", true), ("ref = 'r'", false),
        ("recordID = 'r'", true), ("___recordID IN {'q', 'r'}", true), ("recordName = 'q'", false),
        ("self CONTAINS 'EMIL'", true), ("self CONTAINS 'x blåbär'", true), ("self CONTAINS 'the'", false),
        ("ALL tokenize('emil blabar', 'Cdl') IN allTokens", true),
        ("ALL tokenize('emil x', 'Cdl') IN allTokens", false),
        ("t TOKENMATCHES[cdl] 'AB'", true), ("n TOKENMATCHES[cdl] 'AB'", false), ("NOT t TOKENMATCHES[cdl] 'x'", true),
        ("distanceToLocation:fromLocation:(p, CAST({0.0,1.0},'LOCATION')) < 111196", true),
        ("distanceToLocation:fromLocation:(p, CAST({0.0,1.0},'LOCATION')) < 111195", false),
        ("distanceToLocation:fromLocation:(p, CAST({0.0,1.0},'LOCATION')) > 111195", true),
        ("distanceToLocation:fromLocation:(missing, CAST({0.0,1.0},'LOCATION')) < 5", false),
        ("p = CAST({0.0,0.0},'LOCATION')", true), ("UNSUPPORTEDPREDICATE('x')", false),
        ("NOT UNSUPPORTEDPREDICATE('x')", false),
        ("a b c", false), ("TRUEPREDICATE OR f(1) = 1", true), ("f(1) = 1 OR FALSEPREDICATE", false),
    ]

    @Test("A format's meaning for a record", arguments: table) func formats(format: String, expected: Bool) {
        let fields: [String: Any] = [
            "t": "Ab", "u": "é", "n": [1, 2], "d": Date(timeIntervalSince1970: 1.5), "b": Data([1, 2]),
            "missing": NSNull(),
            "ref": CKRecord.ID(recordName: "r"), "recordName": "r", "allTokens": ["The Émil, of", "Blåbär"],
            "p": CLLocationOrigin.location,
        ]
        #expect(tree(format).evaluate(with: fields) == expected)
        #expect(NSPredicate(format: format).evaluate(with: fields as NSDictionary) == expected)
    }

    @Test func aBrokenFormatPassesNothingEvenWhenItIsDenied() {
        let predicate = NSPredicate(format: "a == ")
        #expect(!predicate.evaluate(with: ["a": 1]))
        #expect(!PredicateTree.not(predicate.tree).evaluate(with: ["a": 1]))
        #expect(!NSPredicate(format: "a = 1").evaluate(with: nil) && !NSPredicate(format: "a = 1").evaluate(with: 5))
    }

    @Test func ideographsAreWordsOneByOne() {
        #expect(SearchWords.words(in: "東京 Tower-2") == ["東", "京", "tower", "2"])
    }
}
