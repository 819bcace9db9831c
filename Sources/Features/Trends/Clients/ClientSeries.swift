import CloudKitWire
import NephosStorage

/// How clients stand among what is counted: a client that comes is created, one that was not there for long is deleted, and one that says
/// another version moves from one value to the other.
enum ClientSeries {
    /// As answers call it.
    static let type: Name = "Clients"
    /// Of none that the catalog has: clients are on a side of their own.
    static let number: TypeNumber = 1

    static func part(_ property: ClientProperty) -> TrendPart { TrendPart(type, Name(property.rawValue), .split) }

    static let all = TrendSeries(side: .ofClients, type: number)

    static func of(_ property: ClientProperty, _ value: String) -> TrendSeries {
        TrendSeries(side: .ofClients, type: number, part: part(property).id, value: Array(value.utf8))
    }
}

extension TrendSums {
    /// What becomes of the sums where a client comes, goes, or says something else.
    mutating func add(_ old: ClientRow?, _ new: ClientRow?, at now: Milliseconds) {
        let counts = TrendCounts(created: old == nil ? 1 : 0, deleted: new == nil ? 1 : 0)
        if !counts.isZero { add(ClientSeries.all, at: now, counts) }
        for property in ClientProperty.allCases {
            let (before, after) = (old?.value(property), new?.value(property))
            guard before != after else { continue }
            let isMove = before != nil && after != nil
            if let before {
                add(ClientSeries.of(property, before), at: now, isMove ? TrendCounts(moved: -1) : counts)
            }
            if let after { add(ClientSeries.of(property, after), at: now, isMove ? TrendCounts(moved: 1) : counts) }
        }
    }
}
