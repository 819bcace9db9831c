import NephosStorage

/// Creates the order keys of records, by which pages are sorted and which positions contain.
struct OrderKeys {
    private struct Part {
        var slot: Int
        var isDescending: Bool
        var origin: Place?
    }

    private var parts: [Part] = []
    private let limit: Int

    init(_ orders: [QueryOrder], _ selection: inout FieldSelection) {
        limit = KeyPart.orderLimit(keys: orders.count)
        for order in orders {
            parts.append(
                Part(slot: selection.slot(of: order.field), isDescending: order.isDescending, origin: order.nearest))
        }
    }

    func key(of values: RecordValues) -> [UInt8] {
        var key: [UInt8] = []
        key.reserveCapacity(32)
        for part in parts {
            if let origin = part.origin {
                key.appendDistance(from: origin, to: values[part.slot])
            } else {
                key.appendOrder(values[part.slot], isDescending: part.isDescending, limit: limit)
            }
        }
        return key
    }
}

extension QueryOrder {
    /// The place from which distances increase in this order: farthest first means nearest to the antipode first.
    var nearest: Place? { isDescending ? origin?.antipode : origin }
}

extension [UInt8] {
    /// Appends the part of an order; a value without an order counts as missing.
    mutating func appendOrder(_ value: FieldValue, isDescending: Bool, limit: Int) {
        switch value {
        case .one(let value): appendPart(value, isDescending: isDescending, limit: limit)
        case .place(let place): appendPart(cell: Cell(place).first, isDescending: isDescending)
        case .missing, .list: append(KeyPart.missing)
        }
    }

    mutating func appendDistance(from origin: Place, to value: FieldValue) {
        guard case .place(let place) = value else { return append(KeyPart.missing) }
        appendPart(.double(origin.distance(to: Cell(place).middle)), limit: 0)
    }
}
