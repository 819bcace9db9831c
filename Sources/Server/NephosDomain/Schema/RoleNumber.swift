public import CloudKitWire
public import NephosStorage

extension RoleRow {
    /// Role numbers have 53 bits, so that clients that read numbers as doubles get them exactly.
    private static let numberMask: UInt64 = 1 << 53 - 1

    /// A container's own role. Its number is derived from its name, so that it is the same in both environments, and again when a
    /// role is removed and created again: user records contain these numbers.
    ///
    /// The number is the lower 53 bits of the name's xxHash64; plus 16 if that is a reserved number.
    public init(named name: Name) {
        let hash = name.bytes.withUnsafeBytes { xxHash64($0) } & Self.numberMask
        self.init(number: Int64(hash) > Self.lastReserved ? Int64(hash) : Int64(hash) + 16, name: name.owned)
    }
}
