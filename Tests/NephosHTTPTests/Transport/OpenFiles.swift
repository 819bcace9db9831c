import Foundation

/// The limit of open files of the tests' process; shells start processes with 1,024 or fewer.
enum OpenFiles {
    /// Raises it to `count`, as far as the system allows.
    static func allow(_ count: rlim_t) {
        #if canImport(Glibc)
            let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        #else
            let resource = RLIMIT_NOFILE
        #endif
        var limit = rlimit()
        guard getrlimit(resource, &limit) == 0, limit.rlim_cur < count else { return }
        limit.rlim_cur = min(limit.rlim_max, count)
        setrlimit(resource, &limit)
    }
}
