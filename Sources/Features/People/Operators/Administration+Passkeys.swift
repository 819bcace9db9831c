import NephosRunner
import NephosStorage

extension Administration {
    /// Removes the passkeys of all accounts and their relying party, so that a server can use another one.
    ///
    /// - Returns: The number of passkeys.
    func dropPasskeys() throws(AdminError) -> Int {
        // Small enough to delay a concurrently running server by milliseconds only.
        let some = SignInMethodRow.passkeys(limit: 200)
        var set = ReadSet()
        set.ask(some)
        set.ask(RelyingPartyRow.all)
        var count = 0
        do {
            while true {
                let removed = try engine.directory.commit(set) { reading in
                    var writes = WriteSet()
                    for row in reading[some] { writes.remove(row) }
                    if reading[some].isEmpty { for row in reading[RelyingPartyRow.all] { writes.remove(row) } }
                    return .write(writes, reading[some].count)
                }
                guard removed > 0 else { return count }
                count += removed
            }
        } catch { throw AdminError(error) }
    }
}
