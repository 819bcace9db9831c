import CloudKit
import Foundation
import NephosTesting
import Testing

extension ClientTests {
    /// An app's use of flags and content before anybody has signed in.
    @Suite struct WithoutAccountTests {
        @Test("Flags and content, with its file, are read while nobody is signed in (S0-11)") func flagsAndContent()
            async throws
        {
            let cloud = try Cloud(
                schema: TestContainer.recordType(
                    "AppFeatures",
                    [
                        #""___recordID" REFERENCE QUERYABLE"#, #""___modTime" TIMESTAMP QUERYABLE SORTABLE"#,
                        "tipJar INT64",
                    ])
                    + TestContainer.recordType(
                        "PublishedChibi", ["publishedAt TIMESTAMP QUERYABLE SORTABLE", "entityData ASSET"]))
            let editor = try cloud.device().publicCloudDatabase
            for state in [0, 1] {
                let flags = CKRecord(recordType: "AppFeatures")
                flags["tipJar"] = state
                try await editor.save(flags)
            }
            let drawing = Data("a drawing".utf8)
            let file = URL(fileURLWithPath: cloud.folder.path).appendingPathComponent("drawing")
            try drawing.write(to: file)
            for (name, hours) in [("yesterday", -24.0), ("now", -1), ("tomorrow", 24)] {
                let chibi = CKRecord(recordType: "PublishedChibi", recordID: CKRecord.ID(recordName: name))
                chibi["publishedAt"] = Date().addingTimeInterval(hours * 3_600)
                chibi["entityData"] = CKAsset(fileURL: file)
                try await editor.save(chibi)
            }

            let app = try cloud.device(nil)
            #expect(try await app.accountStatus() == .noAccount)
            let newest = CKQuery(recordType: "AppFeatures", predicate: NSPredicate(value: true))
            newest.sortDescriptors = [NSSortDescriptor(key: "modificationDate", ascending: false)]
            let flags = try await app.publicCloudDatabase.records(matching: newest, resultsLimit: 1).matchResults
            #expect(try flags.map { try $0.1.get()["tipJar"] as? Int } == [1])

            let published = CKQuery(
                recordType: "PublishedChibi", predicate: NSPredicate(format: "publishedAt <= %@", Date() as NSDate))
            published.sortDescriptors = [NSSortDescriptor(key: "publishedAt", ascending: false)]
            let content = try await app.publicCloudDatabase.records(matching: published).matchResults
            #expect(content.map(\.0.recordName) == ["now", "yesterday"])
            for (_, result) in content {
                let url = try #require((try result.get()["entityData"] as? CKAsset)?.fileURL)
                #expect(try Data(contentsOf: url) == drawing)
            }
        }
    }
}
