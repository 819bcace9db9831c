public import Foundation

/// The result of a prefetch.
public struct PrefetchReport: Sendable, Hashable {
    /// Something that could not be prefetched.
    public struct LeftOut: Sendable, Hashable {
        /// The name of the record.
        public var item: String
        /// The field of the file; nil for the item itself.
        public var field: String?
        /// `tooLarge` if it exceeds the budget or the cache.
        public var fault: ContentFault
    }

    /// The items that are on the device now, including those that already were.
    public var items: [ContentItem] = []
    /// The number of their files on the device.
    public var files = 0
    /// Bytes written.
    public var bytes: Int64 = 0
    public var leftOut: [LeftOut] = []
    /// When the content changes because of the time alone.
    public var changesAt: Date?
    /// Why it ended early; nil if everything was tried.
    public var fault: ContentFault?
}

extension PublishedContent {
    /// Prefetches the newest items with their files: first the items, each with its preview, then all other files. It writes at
    /// most the budget, and evicts nothing of its own to make room for the rest.
    ///
    /// - Parameters:
    ///   - count: Maximum number of items.
    ///   - maxBytes: Limit for items and files together; must be less than that of the cache.
    /// - Throws: An error if the items cannot be fetched. Later failures are in the report.
    @discardableResult
    public func prefetch(
        count: Int, maxBytes: Int64, in collections: [String] = []
    ) async throws(ContentFault) -> PrefetchReport {
        var report = PrefetchReport()
        let found = try await newestPages(count, collections, &report)
        var left = Budget(bytes: maxBytes)
        defer { cache.unpin(left.pinned) }
        for item in found {
            guard keepAhead(item, &left, &report) else { continue }
            report.items.append(item)
            if let file = item[type.preview]?.file { await fetchAhead(type.preview, file, of: item, &left, &report) }
        }
        for item in report.items {
            for (field, file) in item.files(previewFirst: type.preview) where field != type.preview {
                await fetchAhead(field, file, of: item, &left, &report)
            }
        }
        report.bytes = maxBytes - left.bytes
        return report
    }

    private struct Budget {
        var bytes: Int64
        var pinned: [CacheKey] = []
    }

    private func newestPages(
        _ count: Int, _ collections: [String], _ report: inout PrefetchReport
    ) async throws(ContentFault) -> [ContentItem] {
        var items: [ContentItem] = []
        var request = request(.newest, count, collections)
        repeat {
            request.count = min(count - items.count, Self.pageMax)
            guard request.count > 0, case .answer(let answer) = try await fetch(request) else { break }
            if items.isEmpty { keep { () throws(ContentFault) in try prune(answer, request) } }
            if let time = answer.changesAt { report.changesAt = min(report.changesAt ?? time, time) }
            items += answer.items
            // A page without items, or one that leads to its own position, would be followed by the next one without end.
            request.after = answer.items.isEmpty || answer.after == request.after ? nil : answer.after
        } while request.after != nil && !Task.isCancelled
        return items
    }

    /// Maximum number of items in one response.
    private static let pageMax = 200

    /// - Returns: Whether the item is on the device now.
    private func keepAhead(_ item: ContentItem, _ left: inout Budget, _ report: inout PrefetchReport) -> Bool {
        let key = key(item.id)
        do throws(ContentFault) {
            let data = try ContentCache.data(item.kept)
            if cache.read(key) != data {
                guard data.count <= left.bytes else { throw Self.beyondBudget }
                try cache.write(data, key)
                left.bytes -= Int64(data.count)
            }
            cache.pin([key])
            left.pinned.append(key)
            return true
        } catch {
            report.leftOut.append(.init(item: item.id, field: nil, fault: error))
            return false
        }
    }

    private func fetchAhead(
        _ field: String, _ file: ContentFile, of item: ContentItem, _ left: inout Budget,
        _ report: inout PrefetchReport
    ) async {
        do throws(ContentFault) {
            // After a network failure, try no further downloads.
            if let fault = report.fault { throw fault }
            let key = CacheKey.file(source.name, item, field, file)
            if cache.file(key, size: file.size) == nil {
                guard file.size <= left.bytes else { throw Self.beyondBudget }
                do throws(ContentFault) { _ = try await self.file(field, of: item) } catch {
                    // A failed download may have been written in part, unless there was no room for it.
                    if error.kind != .tooLarge { left.bytes -= file.size }
                    throw error
                }
                left.bytes -= file.size
            }
            cache.pin([key])
            left.pinned.append(key)
            report.files += 1
        } catch {
            if [.unreachable, .cancelled].contains(error.kind) { report.fault = error }
            report.leftOut.append(.init(item: item.id, field: field, fault: error))
        }
    }

    private static var beyondBudget: ContentFault { ContentFault(.tooLarge, "it exceeds the budget") }
}
