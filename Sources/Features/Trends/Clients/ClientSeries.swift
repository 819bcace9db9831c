import CloudKitWire
import NephosStorage

/// How clients appear among counted series: a new client counts as created, one that has been absent for long as deleted, and one
/// that reports another value moves from the old value to the new.
enum ClientSeries {
    /// The type's name in responses.
    static let type: Name = "Clients"
    /// Not a number of a type in the catalog: clients are counted on a side of their own.
    static let number: TypeNumber = 1

    static func part(_ property: ClientProperty) -> TrendPart { TrendPart(type, Name(property.rawValue), .split) }

    static let all = TrendSeries(side: .ofClients, type: number)

    static func of(_ property: ClientProperty, _ value: String) -> TrendSeries {
        TrendSeries(side: .ofClients, type: number, part: part(property).id, value: Array(value.utf8))
    }
}

extension TrendSums {
    /// Updates the sums when a client appears, is forgotten, or reports another value.
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
