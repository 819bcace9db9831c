extension PublishedContent {
    /// How much an asker may take.
    public struct Mode: Sendable, Hashable {
        /// How long one request may take; nil as long as its source lets it.
        public var timeout: Duration?
        /// Of an answer, which is read as a whole.
        public var answerBytesMax: Int
        /// Of a file, which goes to the disk as it comes.
        public var fileBytesMax: Int64
        /// Whether what is kept is an answer, and a source is asked only where nothing of it fits.
        public var isCacheFirst: Bool
        /// Whether a request waits for the one before.
        public var isOneAtATime: Bool

        public init(
            timeout: Duration?, answerBytesMax: Int, fileBytesMax: Int64, isCacheFirst: Bool, isOneAtATime: Bool
        ) {
            (self.timeout, self.answerBytesMax, self.fileBytesMax) = (timeout, answerBytesMax, fileBytesMax)
            (self.isCacheFirst, self.isOneAtATime) = (isCacheFirst, isOneAtATime)
        }

        /// The source is asked, and the cache is for when it does not answer.
        public static let app = Mode(
            timeout: nil, answerBytesMax: 16 << 20, fileBytesMax: .max, isCacheFirst: false, isOneAtATime: false)

        /// For widgets, which have little memory and little time: out of the cache, else within two seconds, half a megabyte, files of
        /// four, and one request at a time.
        public static let `extension` = Mode(
            timeout: .seconds(2), answerBytesMax: 512 << 10, fileBytesMax: 4 << 20, isCacheFirst: true,
            isOneAtATime: true)
    }
}
