import CMalloc

/// Configures how the process gets memory from the system.
enum Memory {
    private static let ownMappingBytesMin: Int32 = 1 << 20

    /// Makes glibc return blocks of a megabyte or more to the system as soon as they are freed.
    ///
    /// By default glibc raises that size to that of the largest block it has seen (up to 32 MB), after which the bodies and pages
    /// of one busy minute stay in its heaps forever.
    static func returnLargeBlocks() {
        #if canImport(Glibc)
            mallopt(M_MMAP_THRESHOLD, ownMappingBytesMin)
        #endif
    }
}
