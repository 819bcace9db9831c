import CoreLocation
import Foundation
import Testing

@testable import NephosKit

@Suite struct CKQueryTests {
    private func archived(_ query: CKQuery) throws -> CKQuery? {
        let data = try NSKeyedArchiver.archivedData(withRootObject: query, requiringSecureCoding: true)
        return try NSKeyedUnarchiver.unarchivedObject(ofClass: CKQuery.self, from: data)
    }

    @Test func anArchiveKeepsEverything() throws {
        let predicate = NSCompoundPredicate(andPredicateWithSubpredicates: [
            NSPredicate(format: "title BEGINSWITH %@ AND creationDate < %@", "it's", Date(timeIntervalSince1970: 5)),
            NSCompoundPredicate(
                notPredicateWithSubpredicate: NSPredicate(format: "owner == %@", CKRecord.ID(recordName: "r"))),
        ])
        let query = CKQuery(recordType: "Note", predicate: predicate)
        query.sortDescriptors = [
            NSSortDescriptor(key: "creationDate", ascending: false),
            CKLocationSortDescriptor(key: "p", relativeLocation: CLLocation(latitude: 1.5, longitude: 2.5)),
        ]
        let read = try #require(try archived(query))
        #expect(read.recordType == "Note" && read.predicate.tree == predicate.tree)
        #expect(read.sortDescriptors?.map(\.key) == ["creationDate", "p"])
        #expect(read.sortDescriptors?.map(\.ascending) == [false, true])
        let near = try #require(read.sortDescriptors?.last as? CKLocationSortDescriptor)
        #expect(near.relativeLocation.coordinate.latitude == 1.5 && near.relativeLocation.coordinate.longitude == 2.5)
        #expect(try read.request() == query.request())
    }

    @Test func anArchiveWithoutSortsHasNone() throws {
        let query = CKQuery(recordType: "Note", predicate: NSPredicate(value: true))
        #expect(try archived(query)?.sortDescriptors == nil)
        query.sortDescriptors = []
        #expect(try archived(query)?.sortDescriptors == [])
    }

    @Test func whatCannotBeSentStaysSoInAnArchive() throws {
        let query = CKQuery(recordType: "Note", predicate: NSPredicate { _, _ in true })
        query.sortDescriptors = [NSSortDescriptor(keyPath: \NSString.length, ascending: true)]
        let read = try #require(try archived(query))
        #expect(read.predicate.tree == query.predicate.tree)
        #expect(throws: UnsupportedPredicate.self) { _ = try read.request() }
        #expect(read.sortDescriptors?.map(\.key) == [nil])
    }

    @Test func aCopyIsAnotherQueryWithTheSamePredicate() throws {
        let predicate = NSCompoundPredicate(orPredicateWithSubpredicates: [
            NSPredicate(format: "a = 1"), NSPredicate(format: "b = 1"),
        ])
        let query = CKQuery(recordType: "Note", predicate: predicate)
        let copy = try #require(query.copy() as? CKQuery)
        query.sortDescriptors = [NSSortDescriptor(key: "a", ascending: true)]
        #expect(copy.sortDescriptors == nil && copy.recordType == "Note" && copy.predicate === predicate)
        #expect((query.copy() as? CKQuery)?.sortDescriptors?.map(\.key) == ["a"])
    }

    @Test func aLocationSortIsArchived() throws {
        let near = CKLocationSortDescriptor(key: "p", relativeLocation: CLLocation(latitude: 1, longitude: 2))
        let data = try NSKeyedArchiver.archivedData(withRootObject: near, requiringSecureCoding: true)
        let read = try NSKeyedUnarchiver.unarchivedObject(ofClass: CKLocationSortDescriptor.self, from: data)
        #expect(read?.sortKey == near.sortKey && read?.sortKey.key == "p")
    }
}
