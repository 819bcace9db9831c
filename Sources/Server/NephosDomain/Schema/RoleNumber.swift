public import CloudKitWire
public import NephosStorage

extension RoleRow {
    /// Role numbers have 53 bits, so that clients that read numbers as doubles see them as they are.
    private static let numberMask: UInt64 = 1 << 53 - 1

    /// A role of a container's own. Its number comes from its name, so that it is the same in both environments, and
    /// the same again when a role is removed and made anew: user records hold these numbers.
    ///
    /// The number is the xxHash64 of the name, the lower 53 bits; where these come to a reserved number, 16 more.
    public init(named name: Name) {
        let hash = name.bytes.withUnsafeBytes { xxHash64($0) } & Self.numberMask
        self.init(number: Int64(hash) > Self.lastReserved ? Int64(hash) : Int64(hash) + 16, name: name.owned)
    }
}
