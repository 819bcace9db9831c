import CloudKitWire
import NephosStorage

/// A query with an independent definition of its result: which cards it finds, and in what order.
struct SampleQuery: Sendable {
    /// A value to sort by.
    enum Key: Comparable {
        case integer(Int64)
        case text(Name)
    }

    /// One key of an order: its value, nil where it is missing, and the direction.
    struct Sorting: Sendable {
        var isDescending = false
        var key: @Sendable (RecordRow, Card) -> Key?
    }

    var name: String
    var conditions: [QueryCondition] = []
    var orders: [QueryOrder] = []
    var finds: @Sendable (Card) -> Bool = { _ in true }
    var sortings: [Sorting]

    static let all: [SampleQuery] = [
        SampleQuery(name: "everything", sortings: [byName]),
        SampleQuery(
            name: "count is 1", conditions: [QueryCondition(Card.count, .isAny([.integer(1)]))],
            finds: { $0.count == 1 }, sortings: [byName]),
        SampleQuery(
            name: "count is 1 or 3, by title",
            conditions: [QueryCondition(Card.count, .isAny([.integer(3), .integer(1)]))],
            orders: [QueryOrder(Card.title)], finds: { $0.count == 1 || $0.count == 3 }, sortings: [byTitle]),
        SampleQuery(
            name: "count from -2 to below 2, the largest title first",
            conditions: [
                QueryCondition(
                    Card.count,
                    .isBetween(.init(.integer(-2), isIncluded: true), .init(.integer(2), isIncluded: false)))
            ],
            orders: [QueryOrder(Card.title, isDescending: true)],
            finds: { $0.count.map { (-2..<2).contains($0) } ?? false },
            sortings: [Sorting(isDescending: true, key: byTitle.key)]),
        SampleQuery(
            name: "tagged red, the largest count first",
            conditions: [QueryCondition(Card.tags, .holdsAny([text("red")]))],
            orders: [QueryOrder(Card.count, isDescending: true)], finds: { $0.tags?.contains("red") ?? false },
            sortings: [Sorting(isDescending: true, key: byCount.key)]),
        SampleQuery(
            name: "title begins with b, by title and falling count",
            conditions: [QueryCondition(Card.title, .beginsWith(Bytes("b")))],
            orders: [QueryOrder(Card.title), QueryOrder(Card.count, isDescending: true)],
            finds: { $0.title?.hasPrefix("b") ?? false },
            sortings: [byTitle, Sorting(isDescending: true, key: byCount.key)]),
        SampleQuery(
            name: "title is not a, by count", conditions: [QueryCondition(Card.title, .isNone([text("a")]))],
            orders: [QueryOrder(Card.count)], finds: { $0.title != "a" }, sortings: [byCount]),
        SampleQuery(
            name: "the last changed first", orders: [QueryOrder(.modifiedAt, isDescending: true)],
            sortings: [Sorting(isDescending: true) { row, _ in .integer(row.modifiedAt) }]),
        SampleQuery(
            name: "count is 2 and tagged green, by name",
            conditions: [
                QueryCondition(Card.count, .isAny([.integer(2)])),
                QueryCondition(Card.tags, .holdsAll([text("green")])),
            ],
            orders: [QueryOrder(.recordName)], finds: { $0.count == 2 && $0.tags?.contains("green") ?? false },
            sortings: [byName]),
    ]

    private static func text(_ text: String) -> QueryValue { .bytes(Bytes(text)) }
    private static let byName = Sorting { row, _ in .text(row.name) }
    private static let byCount = Sorting { _, card in card.count.map { .integer($0) } }
    private static let byTitle = Sorting { _, card in card.title.map { .text(Name($0)) } }

    /// The expected result of the query on `rows`: the matching rows, in its order, then by zone and number.
    func answer(from rows: [RecordRow], type: TypeNumber) throws -> [RecordRow] {
        let cards = try rows.filter { $0.type == type }.map { (row: $0, card: try Card($0)) }
        return cards.filter { finds($0.card) }.sorted { comes($0, before: $1) }.map(\.row)
    }

    private typealias Pair = (row: RecordRow, card: Card)

    private func comes(_ one: Pair, before other: Pair) -> Bool {
        for sorting in sortings {
            let keys = (sorting.key(one.row, one.card), sorting.key(other.row, other.card))
            switch keys {
            case (nil, nil): continue
            case (_, nil): return true
            case (nil, _): return false
            case (let key?, let otherKey?) where key != otherKey: return (key < otherKey) != sorting.isDescending
            default: continue
            }
        }
        return (one.row.zone, one.row.number) < (other.row.zone, other.row.number)
    }
}
