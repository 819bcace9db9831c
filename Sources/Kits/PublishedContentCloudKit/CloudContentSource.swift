public import CloudKit
import Foundation
import KitSupportCloudKit
public import PublishedContent

/// Content that is in ordinary records of a container's public database, read with CloudKit and chosen in the app: at Apple's
/// service or any other server. Uses only API of Apple's CloudKit.
///
/// The device's clock determines what is shown, and what only a server knows is not available here: conditions about a role or a
/// fact match nobody. The field with the publication time must be queryable and sortable.
public struct CloudContentSource: ContentSource {
    /// The container of the records.
    public let container: CKContainer
    private let audiences: String?
    let now: @Sendable () -> Date

    /// Records per request, and the maximum that one selection examines: the newest of them.
    private static let pageRecords = 200, examinedMax = 2_000

    /// - Parameter audiences: The audiences that records refer to by name, as JSON, as under `audiences` of a container's settings:
    ///   `{"spanish":{"locale":"es"}}`.
    public init(container: CKContainer, audiences: String? = nil) {
        self.init(container: container, audiences: audiences, now: { Date() })
    }

    package init(container: CKContainer, audiences: String?, now: @escaping @Sendable () -> Date) {
        (self.container, self.audiences, self.now) = (container, audiences, now)
    }

    public var name: String { "cloudkit \(container.containerIdentifier ?? "default")" }

    var database: CKDatabase { container.publicCloudDatabase }

    public func fetch(_ request: ContentRequest) async throws(ContentFault) -> ContentFetch {
        do {
            var choice = try LocalChoice(request.type, audiences: audiences)
            choice.person = try await personName()
            if choice.person != nil { choice.proofs = ["signedIn"] }
            let found = try await candidates(request, choice)
            var answer = choice.answer(request, from: found.items, now: now())
            let whole = try await whole(answer.items)
            answer.unreadable = found.unreadable + answer.items.count - whole.count
            answer.items = whole
            answer.why?.unreadable += answer.unreadable
            return .answer(answer)
        } catch let fault as ContentFault {
            throw fault
        } catch {
            throw ContentFault(cloudKit: error)
        }
    }

    /// The name of the signed-in user's record; nil if nobody is signed in, or if that cannot be determined now.
    private func personName() async throws -> String? {
        guard try await container.accountStatus() == .available else { return nil }
        return try await container.userRecordID().recordName
    }

    /// The records shown at this time, newest first, with only the fields that control selection, and therefore without files.
    private func candidates(
        _ request: ContentRequest, _ choice: LocalChoice
    ) async throws -> (items: [ContentItem], unreadable: Int) {
        let type = request.type
        let query = CKQuery(
            recordType: type.name, predicate: NSPredicate(format: "%K <= %@", type.publishedAt, now() as NSDate))
        query.sortDescriptors = [NSSortDescriptor(key: type.publishedAt, ascending: false)]
        var (matches, cursor) = try await database.records(
            matching: query, desiredKeys: type.choosing, resultsLimit: Self.pageRecords)
        var items: [ContentItem] = []
        var unreadable = 0
        while true {
            for (_, result) in matches {
                // A record that cannot be read must not hide the others.
                if let record = try? result.get() { items.append(ContentItem(record)) } else { unreadable += 1 }
            }
            guard let next = cursor, items.count + unreadable < Self.examinedMax,
                !isEnough(items, request, choice)
            else { break }
            (matches, cursor) = try await database.records(
                continuingMatchFrom: next, desiredKeys: type.choosing, resultsLimit: Self.pageRecords)
        }
        return (items, unreadable)
    }

    /// Whether older records make no difference.
    private func isEnough(_ items: [ContentItem], _ request: ContentRequest, _ choice: LocalChoice) -> Bool {
        guard request.order == .newest else { return false }
        return choice.answer(request, from: items, now: now()).after != nil
    }

    /// The same items with all their fields, without those that cannot be read.
    private func whole(_ items: [ContentItem]) async throws -> [ContentItem] {
        guard !items.isEmpty else { return [] }
        let ids = items.map { CKRecord.ID(recordName: $0.id) }
        let results = try await database.records(for: ids)
        return ids.compactMap { id in (try? results[id]?.get()).map { ContentItem($0) } }
    }
}
