/// The pragmas of our connections, and the reasons for them.
enum Tuning {
    /// A row of a `WITHOUT ROWID` table is moved to overflow pages if it is longer than a quarter of a page: about 1,000
    /// bytes of 4,096, 2,000 of 8,192. Typical records in the trash (500 bytes of fields and 300 of other columns) must not
    /// be moved; live records may have a page.
    static let pageSize = 8192

    /// - `synchronous = FULL`: an acknowledged commit survives power loss. With NORMAL it would survive only a killed process.
    /// - `wal_autocheckpoint`: 1,000 pages are 8 MB; with more, pauses are rarer but longer.
    /// - `journal_size_limit`: after a burst the log shrinks to this again.
    /// - `secure_delete = FAST`: what people delete is overwritten if that costs no extra page write. Debian's default, ON,
    ///   writes every freed page once more.
    /// - `temp_store = MEMORY`: statement journals never become files.
    static let writer =
        shared + [
            "PRAGMA synchronous = FULL", "PRAGMA wal_autocheckpoint = 1000", "PRAGMA journal_size_limit = 67108864",
            "PRAGMA secure_delete = FAST", "PRAGMA cache_size = -4096",
        ]

    /// For a connection whose commits may be lost on power loss.
    static let jobs = shared + ["PRAGMA synchronous = NORMAL", "PRAGMA cache_size = -256"]

    /// A file under construction has no name yet by which other code finds it. It is synchronized once, as a whole, before it gets one.
    static let newFile = [
        "PRAGMA page_size = \(pageSize)", "PRAGMA synchronous = OFF", "PRAGMA journal_mode = MEMORY",
    ]

    /// Small caches: each connection has one, and the system's own cache below them is shared by all. But 50 records by an
    /// index are more than 50 pages; if these do not fit, each is read again for every query.
    static let reader = shared + ["PRAGMA cache_size = -2048"]

    /// `mmap_size = 0`: with mapped files, a failing disk causes a signal that kills the server, not an error.
    private static let shared = ["PRAGMA temp_store = MEMORY", "PRAGMA mmap_size = 0", "PRAGMA trusted_schema = OFF"]
}
