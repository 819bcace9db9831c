/// How much of a document is read. The size of the whole is the caller's to limit.
public struct JSONLimits: Sendable {
    /// Containers inside each other, the outermost counted.
    public var depth: Int
    /// Bytes of one string between its quotes, as written.
    public var stringBytes: Int

    public init(depth: Int = 32, stringBytes: Int = .max) {
        self.depth = depth
        self.stringBytes = stringBytes
    }

    /// Keys of one object that is read; objects that are passed over have as many as they like.
    public static let membersMax = 1_024

    /// Bytes of one number as written. The exact value of any double needs fewer than 800.
    public static let numberBytes = 1024

    func tooDeep(_ offset: Int) -> WireError {
        WireError("more than \(depth) containers inside each other", offset: offset)
    }
}
