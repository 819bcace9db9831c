import CloudKitWire
import NephosDomain
import NephosRunner
import NephosStorage

extension Content {
    /// `GET /nephos/1/CONTAINER/ENVIRONMENT/content/{type}/list`: the records that the caller may have, newest first
    /// (docs/content.md, "Picking").
    static func listing(_ memory: PickCache) -> Endpoint {
        var endpoint = Endpoint("content/{type}/list", at: .container, methods: [.get]) { call in
            var question = try ContentQuestion(call, usual: 50, most: ContentQuestion.listMax)
            question.isList = true
            let start = try question.after.map { text throws(Refusal) in
                guard let place = ListPlace(text) else {
                    throw .badRequest("after must come from a response of this endpoint; omit it to begin")
                }
                return place
            }
            return try ContentCall(call, question).choosing(memory) { answer, _ in
                // May examine many pages.
                .blocking { Listing(answer, start).work }
            }
        }
        endpoint.takesFacts = true
        return endpoint
    }
}

/// Where a list continues.
struct ListPlace: Sendable, Equatable {
    let shownFrom: Milliseconds
    let name: Name

    init(_ item: PickItemRow) { (shownFrom, name) = (item.shownFrom, item.name) }

    var text: String {
        var writer = NumberWriter()
        writer.number(1)
        writer.number(shownFrom)
        writer.counted(name.bytes)
        return Base64.text(writer.bytes, .urlSafe)
    }

    init?(_ text: String) {
        guard let bytes = Base64.bytes(exactly: text, .urlSafe) else { return nil }
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
    private var place: ListPlace?

    init(_ answer: ContentAnswer, _ place: ListPlace?) {
        (self.answer, self.place) = (answer, place)
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

    private mutating func found() throws(StorageError) -> RawResponse {
        let (store, type) = (answer.request.call.store, answer.request.type.row.number)
        var (examined, isAtEnd) = (0, answer.choice.eligible == 0)
        while !isAtEnd, !answer.isFull, examined < Self.examinedMax {
            let scan = PickItemRow.newest(
                type, after: place.map { ($0.shownFrom, $0.name) }, limit: Self.pageRows)
            let items = try store.rows(scan)
            examined += items.count
            let shown = items.prefix { $0.shownFrom != PickItemRow.notShown }
            isAtEnd = shown.count < Self.pageRows
            guard try take(shown[...], store) else { continue }
            isAtEnd = false
            break
        }
        return answer.response(after: isAtEnd ? nil : place?.text)
    }

    /// - Returns: Whether it stopped before the last of them.
    private mutating func take(_ items: ArraySlice<PickItemRow>, _ store: any TenantStore) throws(StorageError) -> Bool
    {
        var items = items
        while !items.isEmpty {
            guard answer.bytesLeft > 0 else { return true }
            // Reads all missing records in one step.
            var asked: [PickItemRow] = []
            var before = place
            while let item = items.first, asked.count < answer.missing {
                items.removeFirst()
                if groups.contains(item.group) { asked.append(item) }
                place = ListPlace(item)
            }
            var set = ReadSet()
            set.records = asked.map { ContentAnswer.key($0.name) }
            set.recordByteLimit = answer.bytesLeft
            let found = try store.read(set).records
            for (item, found) in zip(asked, found) {
                if found.isBeyondLimit {
                    place = before
                    return true
                }
                before = ListPlace(item)
                answer.take(found)
            }
            if answer.isFull { return !items.isEmpty }
        }
        return false
    }
}
