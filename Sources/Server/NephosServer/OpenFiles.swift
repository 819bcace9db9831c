#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The number of files a process may hold open; every connection is one.
enum OpenFiles {
    /// Raises the soft limit as far as the system allows. Shells start processes with 1,024, far below
    /// ``HTTPLimits/connectionsMax``. Where it is refused, connections above the limit wait in the kernel.
    static func raiseLimit() {
        var limit = rlimit()
        #if canImport(Darwin)
            let resource = RLIMIT_NOFILE
        #else
            let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        #endif
        guard getrlimit(resource, &limit) == 0 else { return }
        #if canImport(Darwin)
            limit.rlim_cur = min(limit.rlim_max, rlim_t(OPEN_MAX))
        #else
            limit.rlim_cur = limit.rlim_max
        #endif
        setrlimit(resource, &limit)
    }
}
