import CloudKitWire
import NephosStorage

/// Creates a user with a private database, or returns the existing one.
struct Enrolment: Sendable {
    let user: UserID
    let account: String

    private var known: Scan<UserRow> { UserRow.from([(.account, account)]) }

    var reading: ReadSet {
        var set = ReadSet()
        set.databases = [1]
        set.ask(known)
        return set
    }

    func decide(_ reading: Reading) -> Decision<DatabaseNumber> {
        if let known = reading[known].first { return .write(WriteSet(), known.privateDatabase) }
        let number = reading.catalog.head.lastDatabase + 1
        var head = HeadRow(database: number, kind: .personal, owner: user)
        head.sequence = 1
        head.zoneNumber = 1
        var writes = WriteSet()
        writes.users = [
            UserRow(id: user, source: .account, sourceID: account, privateDatabase: number, createdAt: 1)
        ]
        writes.databases = [head]
        writes.zones = [
            ZoneWrite(
                old: nil,
                new: ZoneRow(
                    database: number, number: 1, name: defaultZoneName, createdSequence: 1, changedSequence: 1,
                    createdAt: 1))
        ]
        return .write(writes, number)
    }
}
