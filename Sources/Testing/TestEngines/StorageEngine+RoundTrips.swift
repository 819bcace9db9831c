package import NephosStorage

#if Postgres
    import NephosPostgres
#endif

extension StorageEngine {
    /// The number of round trips to a remote database; nil for an engine without any.
    package var countedRoundTrips: Int? {
        #if Postgres
            (self as? PostgresEngine)?.roundTrips
        #else
            nil
        #endif
    }
}
