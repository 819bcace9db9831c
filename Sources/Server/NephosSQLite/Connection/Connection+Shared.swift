import NephosStorage

extension Connection: CallRunner {
    func run(
        _ calls: [SharedCall], _ row: (Int, any AnswerRow) throws(StorageError) -> Void
    ) throws(StorageError) {
        for (place, call) in calls.enumerated() {
            var cursor = try once(call.statement.sqlOfFiles)
            for value in call.values { cursor.bind(value) }
            let current = CurrentRow(handle: cursor.handle)
            while try cursor.next() { try row(place, current) }
        }
    }
}
