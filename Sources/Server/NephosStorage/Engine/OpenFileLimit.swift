#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The limit of open files of a process; every connection is one.
package enum OpenFileLimit {
    /// Raises the soft limit as far as the system allows, and returns the resulting limit.
    ///
    /// Shells start processes with 1,024, far below the connections that a server accepts.
    package static func raise() -> Int {
        var limit = rlimit()
        #if canImport(Glibc)
            let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        #else
            let resource = RLIMIT_NOFILE
        #endif
        guard getrlimit(resource, &limit) == 0 else { return 1_024 }
        var raised = limit
        #if canImport(Darwin)
            raised.rlim_cur = min(limit.rlim_max, rlim_t(OPEN_MAX))
        #else
            raised.rlim_cur = limit.rlim_max
        #endif
        let now = setrlimit(resource, &raised) == 0 ? raised.rlim_cur : limit.rlim_cur
        return Int(clamping: now)
    }
}
