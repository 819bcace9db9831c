public import CloudKit
public import Communications
import Foundation
import KitSupportCloudKit

/// Messages that are records with the twelve fields of the article "CloudKit content-management system", in a container's public database:
/// at Apple's service, and at any server. It uses nothing but what Apple's CloudKit has.
///
/// Nobody is told what was seen: the device alone knows it (``CommunMemory``). `isCurrent` must be queryable.
public struct CloudCommunGetter: CommunGetter {
    /// Where the records are.
    public let container: CKContainer
    public let recordType: String

    /// Current records that are looked at.
    private static let recordsMax = 20

    /// - Parameter recordType: As the article's app names it, `Communs`.
    public init(container: CKContainer, recordType: String = "Communs") {
        (self.container, self.recordType) = (container, recordType)
    }

    /// The current message; of several that this kit understands the one with the highest identifier.
    ///
    /// - Throws: Why that is not known; of kind `unreadable` where all that is current lacks something.
    public func getCommunication(_ question: CommunQuestion) async throws(CommunFault) -> Commun? {
        let records: [CKRecord]
        do {
            let query = CKQuery(recordType: recordType, predicate: NSPredicate(format: "isCurrent == 1"))
            let (matches, _) = try await container.publicCloudDatabase.records(
                matching: query, resultsLimit: Self.recordsMax)
            // One that does not come hides no other.
            records = matches.compactMap { try? $0.1.get() }
        } catch {
            throw CommunFault(cloudKit: error)
        }
        var (communs, fault): ([Commun], CommunFault?) = ([], nil)
        for record in records {
            do throws(CommunFault) {
                if let commun = try PackedCommun(record).commun(for: question) { communs.append(commun) }
            } catch {
                fault = error
            }
        }
        if communs.isEmpty, let fault { throw fault }
        return communs.max { $0.identifier ?? 0 < $1.identifier ?? 0 }
    }
}

extension PackedCommun {
    fileprivate init(_ record: CKRecord) {
        var texts: [String: String] = [:]
        for field in ["title", "content", "imageLabel", "actionTitle", "cancelTitle", "okayTitle", "type"] {
            if let text = record[field] as? String { texts[field] = text }
        }
        self.init(
            texts: texts, identifier: record["identifier"] as? Int, version: record["version"] as? Int,
            image: (record["image"] as? CKAsset)?.fileURL)
    }
}
