import NephosStorage

/// A query made ready: what all ways to answer it need.
struct PreparedQuery {
    let scan: QueryScan
    /// Never empty: without an order, records come by name.
    let orders: [QueryOrder]
    let conditions: PreparedConditions
    let selection: FieldSelection
    private let orderKeys: OrderKeys

    init(_ scan: QueryScan) {
        self.scan = scan
        orders = scan.orders.isEmpty ? [QueryOrder(.recordName)] : scan.orders
        var selection = FieldSelection()
        conditions = PreparedConditions(scan.conditions, &selection)
        orderKeys = OrderKeys(orders, &selection)
        self.selection = selection
    }

    /// Compares records with all conditions, whatever order they come in.
    func offer(_ records: [RecordRow], to first: inout FirstRecords) {
        for record in records where record.type == scan.type {
            let values = RecordValues(record, selection)
            if conditions.matches(values) { first.offer(record, key: orderKeys.key(of: values)) }
        }
    }

    /// The names that records must have, where the conditions say so.
    var names: [Bytes]? {
        for condition in conditions.list where condition.field == .recordName {
            if case .isAny(let values) = condition.test {
                return values.compactMap { if case .bytes(let name) = $0 { name } else { nil } }
            }
        }
        return nil
    }
}
