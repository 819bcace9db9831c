import CoreLocation
import Foundation
import Testing

@testable import NephosKit

/// What Foundation provides and lacks, swift-on-linux §4.
@Suite struct FoundationTests {
    @Test func formatsTakeWhatProgramsPass() {
        let id = CKRecord.ID(recordName: "r")
        let date = Date(timeIntervalSince1970: 1)
        let predicates = [
            NSPredicate(format: "a = %@", "x"), NSPredicate(format: "a = %@", "x" as NSString),
            NSPredicate(format: "a = %@", argumentArray: ["x"]), NSPredicate(format: "a = %@", "x" as any CVarArg),
            NSPredicate(format: "%K = 'x'", "a"), NSPredicate(format: "a = 'x'", argumentArray: nil),
        ]
        for predicate in predicates { #expect(predicate.tree == .compare("a", .equal, .string("x"))) }
        for predicate in [
            NSPredicate(format: "a = %@", date as NSDate), NSPredicate(format: "a = %@", date),
            NSPredicate(format: "a = %@", date as any CVarArg),
        ] { #expect(predicate.tree == .compare("a", .equal, .timestamp(1_000))) }
        for predicate in [
            NSPredicate(format: "a = %@", id), NSPredicate(format: "a = %@", CKReference(recordID: id, action: .none)),
            NSPredicate(format: "a = %@", CKRecord(recordType: "T", recordID: id)),
        ] { #expect(predicate.tree == .compare("a", .equal, .reference(PredicateReference(recordName: "r")))) }
        for predicate in [
            NSPredicate(format: "a IN %@", ["x", "y"]), NSPredicate(format: "a IN %@", ["x", "y"] as NSArray),
        ] { #expect(predicate.tree == .compare("a", .isIn, .list("x", "y"))) }
        #expect(NSPredicate(format: "a = %@", 5 as NSNumber).tree == NSPredicate(format: "a = %ld", 5).tree)
        #expect(
            NSPredicate(format: "a = %@", Data([1])).tree == NSPredicate(format: "a = %@", Data([1]) as NSData).tree)
        #expect(NSPredicate(format: "a = %@", CLLocationOrigin.location).tree == .compare("a", .equal, .place(0, 0)))
        #expect(NSPredicate(format: "a = %@", NSNull()).tree == .compare("a", .equal, .null))
    }

    @Test func stringFormatsStillPrintWhatTheyPrinted() {
        #expect(String(format: "%@ %@ %d", "x", "y" as NSString, 5) == "x y 5")
        #expect(String(format: "%@ %@", 5 as NSNumber, ["x"]) == "5 [\"x\"]")
    }

    @Test func predicatesKeepTheirTreesThroughCopiesAndCompounds() throws {
        let a = NSPredicate(format: "a = 1"), b = NSPredicate(format: "b = 2")
        #expect((a.copy() as? NSPredicate)?.tree == tree("a = 1"))
        #expect(NSCompoundPredicate(andPredicateWithSubpredicates: [a, b]).tree == tree("a = 1 AND b = 2"))
        #expect(NSCompoundPredicate(orPredicateWithSubpredicates: [a, b]).tree == tree("a = 1 OR b = 2"))
        #expect(NSCompoundPredicate(notPredicateWithSubpredicate: a).tree == tree("NOT a = 1"))
        #expect(NSCompoundPredicate(andPredicateWithSubpredicates: [a]).tree == tree("a = 1"))
        #expect(NSCompoundPredicate(andPredicateWithSubpredicates: []).tree == .always)
        #expect(NSCompoundPredicate(orPredicateWithSubpredicates: []).tree == .never)
        #expect(NSPredicate(value: true).tree == .always && NSPredicate(value: false).tree == .never)
        let nested = NSCompoundPredicate(
            andPredicateWithSubpredicates: [NSCompoundPredicate(orPredicateWithSubpredicates: [a, b]), b])
        #expect(nested.tree == tree("(a = 1 OR b = 2) AND b = 2"))
    }

    @Test func blocksOfTheProgramAreUnsupported() {
        let block = NSPredicate { object, _ in object is String }
        guard case .unsupported(let reason) = block.tree else { return #expect(Bool(false)) }
        #expect(reason.contains("block"))
        #expect(throws: UnsupportedPredicate.self) { _ = try CKQuery(recordType: "T", predicate: block).request() }
    }

    @Test func compoundsWithoutEndAreMalformed() {
        var predicate = NSPredicate(format: "a = 1")
        for _ in 0..<200 { predicate = NSCompoundPredicate(notPredicateWithSubpredicate: predicate) }
        #expect(predicate.tree.predicateText.contains("too deeply"))
    }

    @Test func sortDescriptorsKeepTheirKeys() {
        let descriptor = NSSortDescriptor(key: "a", ascending: false)
        #expect(descriptor.key == "a" && !descriptor.ascending)
        #expect((descriptor.copy() as? NSSortDescriptor)?.key == "a")
        #expect(NSSortDescriptor(keyPath: \NSString.length, ascending: true).key == nil)
        let near = CKLocationSortDescriptor(key: "p", relativeLocation: CLLocationOrigin.location)
        #expect(near.key == "p" && near.ascending)
    }

    @Test func sortDescriptorsSortLocally() {
        func sorted(_ descriptor: NSSortDescriptor, _ values: [Any?]) -> [Int] {
            let records = values.enumerated().map { index, value in
                var fields: [String: Any] = ["n": index]
                fields["a"] = value
                return fields as NSDictionary
            }
            let sorted = records.sorted { descriptor.compare($0, to: $1) == .orderedAscending }
            return sorted.compactMap { $0["n"] as? Int }
        }
        #expect(sorted(NSSortDescriptor(key: "a", ascending: true), [2, nil, 1]) == [2, 0, 1])
        #expect(sorted(NSSortDescriptor(key: "a", ascending: false), [1, 3, 2]) == [1, 2, 0])
        let near = CKLocationSortDescriptor(key: "a", relativeLocation: CLLocationOrigin.location)
        #expect(
            sorted(near, [CLLocation(latitude: 5, longitude: 0), nil, CLLocation(latitude: -1, longitude: 0)]) == [
                2, 0, 1,
            ])
    }
}
