/// Limits of a schema (docs/schema.md L1, L11).
public struct SchemaLimits: Sendable {
    /// Size of a file in bytes.
    public var bytes: Int
    public var recordTypes: Int
    /// Fields of all record types together, without system fields.
    public var fields: Int
    public var roles: Int

    public init(bytes: Int = 4 << 20, recordTypes: Int = 500, fields: Int = 2_000, roles: Int = 500) {
        self.bytes = bytes
        self.recordTypes = recordTypes
        self.fields = fields
        self.roles = roles
    }
}
