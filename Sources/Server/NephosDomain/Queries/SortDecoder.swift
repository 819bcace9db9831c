import CloudKitWire
import NephosStorage

/// Converts the sorts of a query to the order of a scan (docs/protocol.md, "Order").
struct SortDecoder {
    let type: RecordType

    /// The sort keys, each field once: repetitions have no effect.
    func orders(_ sorts: [QuerySort]) throws(Refusal) -> [QueryOrder] {
        var orders: [QueryOrder] = []
        for sort in sorts {
            let order = try order(sort)
            if !orders.contains(where: { $0.field == order.field && $0.origin == order.origin }) {
                orders.append(order)
            }
        }
        guard orders.count(where: { $0.origin != nil }) <= 1 else {
            throw .badRequest("a query can sort by at most one distance")
        }
        return orders
    }

    private func order(_ sort: QuerySort) throws(Refusal) -> QueryOrder {
        let field = try QueriedField(sort.field, in: type)
        guard let location = sort.relativeLocation else {
            try checkOrder(field)
            try field.require(.sortable)
            return QueryOrder(field.field, isDescending: !sort.ascending)
        }
        guard field.type == .location, !field.isEncrypted else {
            throw .badRequest(
                "relativeLocation sorts by fields of type LOCATION; '\(field.spelling.excerpt)' has type \(field.tag)")
        }
        try field.require(.sortable, or: .queryable)
        do throws(WireError) {
            let place = try location.place()
            let origin = Place(latitude: place.latitude, longitude: place.longitude)
            return QueryOrder(field.field, isDescending: !sort.ascending, origin: origin)
        } catch {
            throw .badRequest("relativeLocation: \(error.reason)")
        }
    }

    private func checkOrder(_ field: QueriedField) throws(Refusal) {
        if field.isEncrypted { throw unsortable(field, "") }
        switch field.type {
        case .string, .int64, .double, .timestamp, .bytes: return
        case .reference where field.field == .recordName: return
        case .location: throw unsortable(field, ", only by its distance from a relativeLocation")
        default: throw unsortable(field, "")
        }
    }

    private func unsortable(_ field: QueriedField, _ more: String) -> Refusal {
        .badRequest(
            "Field has a value type of \(field.tag) and cannot be sorted by\(more) (field '\(field.spelling.excerpt)')")
    }
}
