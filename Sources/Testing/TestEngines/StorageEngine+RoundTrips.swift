package import NephosStorage

#if Postgres
    import NephosPostgres
#endif

extension StorageEngine {
    /// How often it has waited for a database on another computer; nil for one that never does.
    package var countedRoundTrips: Int? {
        #if Postgres
            (self as? PostgresEngine)?.roundTrips
        #else
            nil
        #endif
    }
}
