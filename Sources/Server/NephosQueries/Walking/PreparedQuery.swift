import NephosStorage

/// A prepared query: the input of all access paths.
struct PreparedQuery {
    let scan: QueryScan
    /// Never empty: without an order, records are ordered by name.
    let orders: [QueryOrder]
    let conditions: PreparedConditions
    let selection: FieldSelection
    private let orderKeys: OrderKeys
    /// The fields whose members or words are compared.
    private let membersRead: FieldSelection

    init(_ scan: QueryScan) {
        self.scan = scan
        orders = scan.orders.isEmpty ? [QueryOrder(.recordName)] : scan.orders
        var selection = FieldSelection()
        conditions = PreparedConditions(scan.conditions, &selection)
        orderKeys = OrderKeys(orders, &selection)
        self.selection = selection
        membersRead = FieldSelection(conditions.list.lazy.filter(\.looksAtMembers).flatMap(\.fields))
    }

    /// Compares unordered records with all conditions.
    ///
    /// - Returns: False if the budget ended before all were compared.
    func offer(
        _ records: [RecordRow], to first: inout FirstRecords, _ budget: inout Budget
    ) throws(StorageError) -> Bool {
        for record in records where record.type == scan.type {
            guard !budget.isTooLong(record, self) else { return false }
            let values = RecordValues(record, selection)
            let isMet = conditions.list.areMet(by: values, &budget.meter)
            guard try budget.goesOn() else { return false }
            if isMet { first.offer(record, key: orderKeys.key(of: values)) }
        }
        return true
    }

    /// The size in bytes of a record's values whose members or words are compared.
    func memberBytes(of record: RecordRow) -> Int {
        guard !membersRead.names.isEmpty else { return 0 }
        return RecordValues.bytes(of: record, membersRead)
    }

    /// The names that records must have, if the conditions restrict them.
    var names: [Bytes]? {
        for condition in conditions.list where condition.field == .recordName {
            if case .isAny(let values) = condition.test {
                return values.compactMap { if case .bytes(let name) = $0 { name } else { nil } }
            }
        }
        return nil
    }
}
