extension PublishedContent {
    /// Resource limits of a caller.
    public struct Mode: Sendable, Hashable {
        /// Time limit for one request; nil for the limit of its source.
        public var timeout: Duration?
        /// Maximum size of a response, which is held in memory.
        public var answerBytesMax: Int
        /// Maximum size of a file, which is streamed to the disk.
        public var fileBytesMax: Int64
        /// Whether cached content is used first, and the source only if none of it matches.
        public var isCacheFirst: Bool
        /// Whether a request waits for the previous one.
        public var isOneAtATime: Bool

        public init(
            timeout: Duration?, answerBytesMax: Int, fileBytesMax: Int64, isCacheFirst: Bool, isOneAtATime: Bool
        ) {
            (self.timeout, self.answerBytesMax, self.fileBytesMax) = (timeout, answerBytesMax, fileBytesMax)
            (self.isCacheFirst, self.isOneAtATime) = (isCacheFirst, isOneAtATime)
        }

        /// The source is used first, and the cache if it does not respond.
        public static let app = Mode(
            timeout: nil, answerBytesMax: 16 << 20, fileBytesMax: .max, isCacheFirst: false, isOneAtATime: false)

        /// For widgets, which have little memory and time: cache first, requests of at most two seconds, responses of half a
        /// megabyte, files of four megabytes, and one request at a time.
        public static let `extension` = Mode(
            timeout: .seconds(2), answerBytesMax: 512 << 10, fileBytesMax: 4 << 20, isCacheFirst: true,
            isOneAtATime: true)
    }
}
