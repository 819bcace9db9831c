import CloudKitWire
import NephosDomain
import NephosRunner
import NephosStorage

extension Content {
    /// `GET /nephos/1/CONTAINER/ENVIRONMENT/content/{type}/list`: the records that the caller may have, newest first
    /// (docs/content.md, "Picking").
    static func listing(_ cache: PickCache) -> Endpoint {
        var endpoint = Endpoint("content/{type}/list", at: .container, methods: [.get]) { call in
            var question = try ContentQuestion(call, usual: 50, most: ContentQuestion.listMax)
            question.isList = true
            let request = try ContentCall(call, question)
            let start = try request.start(.list) { ListPosition($0) }
            return try request.choosing(cache) { answer, _ in
                // May examine many pages.
                .blocking { Listing(answer, start).work }
            }
        }
        endpoint.takesFacts = true
        return endpoint
    }
}

/// Where a list continues.
struct ListPosition: Sendable, Equatable {
    let shownFrom: Milliseconds
    let name: Name

    init(_ item: PickItemRow) { (shownFrom, name) = (item.shownFrom, item.name) }

    var bytes: [UInt8] {
        var writer = NumberWriter()
        writer.number(1)
        writer.number(shownFrom)
        writer.counted(name.bytes)
        return writer.bytes
    }

    init?(_ bytes: [UInt8]) {
        var reader = NumberReader(bytes)
        guard reader.number() == 1, let time = reader.number(), let name = reader.counted(), reader.isAtEnd,
            String(validating: name, as: UTF8.self) != nil
        else { return nil }
        (shownFrom, self.name) = (time, Name(bytes: name))
    }
}

/// Examines shown records, newest first, for those that the caller may have.
struct Listing {
    /// The number of rows per page, and the limit per response: if little of a list is for the caller, it continues with `after`.
    private static let pageRows = 500, examinedMax = 10_000

    private var answer: ContentAnswer
    /// The groups of records that the caller may have.
    private let groups: Set<Int64>
    private var position: ListPosition?

    init(_ answer: ContentAnswer, _ position: ListPosition?) {
        (self.answer, self.position) = (answer, position)
        groups = Set(answer.choice.buckets.map(\.group))
    }

    /// May block.
    var work: Work {
        do {
            var listing = self
            return .answer(try listing.found())
        } catch {
            return answer.request.call.failed(error)
        }
    }

    private mutating func found() throws -> RawResponse {
        let (store, type) = (answer.request.call.store, answer.request.type.row.number)
        var (examined, isAtEnd) = (0, answer.choice.eligible == 0)
        while !isAtEnd, !answer.isFull, examined < Self.examinedMax {
            let scan = PickItemRow.newest(
                type, after: position.map { ($0.shownFrom, $0.name) }, limit: Self.pageRows)
            let items = try store.rows(scan)
            examined += items.count
            let shown = items.prefix { $0.shownFrom != PickItemRow.notShown }
            isAtEnd = shown.count < Self.pageRows
            guard try take(shown[...], store) else { continue }
            isAtEnd = false
            break
        }
        guard !isAtEnd, let position else { return answer.response(after: nil) }
        return answer.response(after: try answer.request.after(position.bytes, .list))
    }

    /// - Returns: Whether it stopped before the last of them.
    private mutating func take(_ items: ArraySlice<PickItemRow>, _ store: any TenantStore) throws(StorageError) -> Bool
    {
        var items = items
        while !items.isEmpty {
            guard answer.bytesLeft > 0 else { return true }
            // Reads all missing records in one step.
            var asked: [PickItemRow] = []
            var before = position
            while let item = items.first, asked.count < answer.missing {
                items.removeFirst()
                if groups.contains(item.group) { asked.append(item) }
                position = ListPosition(item)
            }
            var set = ReadSet()
            set.records = asked.map { ContentAnswer.key($0.name) }
            set.recordByteLimit = answer.bytesLeft
            let found = try store.read(set).records
            for (item, found) in zip(asked, found) {
                if found.isBeyondLimit {
                    position = before
                    return true
                }
                before = ListPosition(item)
                answer.take(found)
            }
            if answer.isFull { return !items.isEmpty }
        }
        return false
    }
}
