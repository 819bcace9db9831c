import NephosStorage

extension Call {
    /// - Parameter tenant: The tenant whose databases the values name.
    static func all(_ calls: [SharedCall], _ tenant: TenantNumber) throws(StorageError) -> [Call] {
        try calls.map { shared throws(StorageError) in
            var call = Call(.kept(shared.statement.sql))
            for value in shared.values { try call.values.add(value, tenant) }
            return call
        }
    }
}

extension Swift.Sequence<Rows> {
    /// Passes the rows of one result after the other to `row`, each with the index of its call.
    func show(_ row: (Int, any AnswerRow) throws(StorageError) -> Void) throws(StorageError) {
        for (place, rows) in enumerated() {
            try rows.forEach { found throws(StorageError) in try row(place, found) }
        }
    }
}
