import Audience
public import CloudKit
public import FeatureSwitches
import Foundation
import KitSupport
import KitSupportCloudKit

/// Flags that are ordinary records of a container's public database, read with CloudKit and evaluated in the app: at Apple's
/// service, or at a server without OFREP. Uses only API of Apple's CloudKit.
///
/// What only a server knows is not available here: conditions about roles and proved facts match nobody. Audiences are those that
/// the app passes.
public struct CloudFlagProvider: FlagProvider {
    /// The records that contain the flags.
    public enum Records: Sendable, Hashable {
        /// One for each flag, as docs/flags.md describes them: all of this type. Its `recordName` must be queryable.
        case all(CKRecord.RecordType)
        /// One for each flag: those that the app declares, by name. No index is needed.
        case declared(CKRecord.RecordType)
        /// All flags in one record, each a field with 0 or 1: the newest of this type. `recordName` must be queryable and the
        /// modification time sortable.
        case newest(CKRecord.RecordType)
        /// All flags in one record: the one with this name.
        case named(String, CKRecord.RecordType)

        var type: CKRecord.RecordType {
            switch self {
            case .all(let type), .declared(let type), .newest(let type), .named(_, let type): type
            }
        }
    }

    /// The container of the records.
    public let container: CKContainer
    public let records: Records
    private let audiences: String?
    private let now: @Sendable () -> Date

    /// - Parameters:
    ///   - records: The records to read; by default those of type `FeatureFlag`.
    ///   - audiences: The audiences that rules refer to by name, as JSON, as under `audiences` of a container's settings:
    ///     `{"spanish":{"locale":"es"}}`.
    public init(container: CKContainer, records: Records = .all("FeatureFlag"), audiences: String? = nil) {
        self.init(container: container, records: records, audiences: audiences, now: { Date() })
    }

    package init(
        container: CKContainer, records: Records, audiences: String? = nil, now: @escaping @Sendable () -> Date
    ) {
        (self.container, self.records, self.audiences, self.now) = (container, records, audiences, now)
    }

    public var source: String { "cloudkit \(container.containerIdentifier ?? "default") \(records)" }

    public func fetch(_ question: FlagQuestion) async throws(FlagFault) -> FlagFetch {
        do {
            switch records {
            case .all: return .values(try await evaluated(try await container.allRecords(of: records.type), question))
            case .declared: return .values(try await evaluated(try await declared(question.flags), question))
            case .newest(let type): return .values(oldValues(try await container.newestRecord(of: type)))
            case .named(let name, _): return .values(oldValues(try await container.record(named: name)))
            }
        } catch let fault as FlagFault {
            throw fault
        } catch {
            throw FlagFault(KitFault(cloudKit: error))
        }
    }

    /// The declared flags that exist.
    private func declared(_ flags: [String]) async throws -> [CKRecord] {
        let ids = flags.map { CKRecord.ID(recordName: $0) }
        var records: [CKRecord] = []
        for page in stride(from: 0, to: ids.count, by: CKContainer.pageRecords) {
            let part = Array(ids[page..<min(page + CKContainer.pageRecords, ids.count)])
            for (_, result) in try await container.publicCloudDatabase.records(for: part) {
                do {
                    records.append(try result.get())
                } catch CKError.unknownItem {
                    continue
                }
            }
        }
        return records
    }

    private func evaluated(_ records: [CKRecord], _ question: FlagQuestion) async throws -> FlagValues {
        let person = try await container.personName()
        let now = now()
        let flags = try LocalFlags(
            records.map { ($0.recordID.recordName, $0.flag) }, audiences: audiences, now: now)
        return try flags.values(for: question.context, now: now) { $0.person = person }
    }

    private func oldValues(_ record: CKRecord?) -> FlagValues { FlagValues(record?.switches ?? []) }
}
