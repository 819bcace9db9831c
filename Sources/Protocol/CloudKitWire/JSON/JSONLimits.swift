/// Limits for parsing a document. The caller limits the total size.
public struct JSONLimits: Sendable {
    /// Maximum nesting of containers, including the outermost.
    public var depth: Int
    /// Maximum number of bytes of one string between its quotes, before unescaping.
    public var stringBytes: Int

    public init(depth: Int = 32, stringBytes: Int = .max) {
        self.depth = depth
        self.stringBytes = stringBytes
    }

    /// Maximum number of keys of an object that is read; skipped objects are not limited.
    public static let membersMax = 1_024

    /// Maximum number of bytes of one number. The exact value of any double needs fewer than 800.
    public static let numberBytes = 1024

    func tooDeep(_ offset: Int) -> WireError {
        WireError("more than \(depth) nested arrays or objects", offset: offset)
    }
}
