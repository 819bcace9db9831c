public import CloudKit
public import Communications
import Foundation
import KitSupportCloudKit

/// Messages that are records with the twelve fields of the article "CloudKit content-management system", in a container's public
/// database: at Apple's service or any other server. Uses only API of Apple's CloudKit.
///
/// What was seen is recorded on the device only (``CommunMemory``) and reported to nobody. `isCurrent` must be queryable.
public struct CloudCommunGetter: CommunGetter {
    /// The container of the records.
    public let container: CKContainer
    public let recordType: String

    /// Maximum number of current records that are examined.
    private static let recordsMax = 20

    /// - Parameter recordType: `Communs`, the name in the article's app, by default.
    public init(container: CKContainer, recordType: String = "Communs") {
        (self.container, self.recordType) = (container, recordType)
    }

    /// The current message; if this kit understands several, the one with the highest identifier.
    ///
    /// - Throws: The reason why it could not be determined; `unreadable` if every current record is malformed.
    public func getCommunication(_ question: CommunQuestion) async throws(CommunFault) -> Commun? {
        let records: [CKRecord]
        do {
            let query = CKQuery(recordType: recordType, predicate: NSPredicate(format: "isCurrent == 1"))
            let (matches, _) = try await container.publicCloudDatabase.records(
                matching: query, resultsLimit: Self.recordsMax)
            // A record that fails to load must not hide the others.
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
