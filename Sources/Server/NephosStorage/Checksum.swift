public import CloudKitWire

/// The 64-bit hash that guards every stored row: xxHash64 with seed 0 over the row's columns.
///
/// It detects rows that were changed outside the server or by a failing disk. It does not protect against an attacker,
/// who can compute it as well. Numbers are added as 8 little-endian bytes, byte strings as their length and then their
/// bytes, so that adjacent columns cannot be confused.
public struct Checksum: Sendable {
    /// The bytes added so far.
    private(set) var bytes: [UInt8] = []

    /// Creates an empty sum, with room for `capacity` bytes before more memory must be allocated.
    public init(reserving capacity: Int = 128) { bytes.reserveCapacity(capacity) }

    /// Adds a number, as 8 bytes.
    public mutating func add(_ number: Int64) {
        withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
    }

    /// Adds bytes, preceded by their number.
    public mutating func add(_ data: some Collection<UInt8>) {
        add(Int64(data.count))
        bytes.append(contentsOf: data)
    }

    /// Adds bytes that another checksum collected as one value, without their number.
    mutating func add(piece: Bytes) { bytes.append(contentsOf: piece) }

    /// Adds an absent value, which is distinct from an empty one.
    public mutating func addNothing() { add(Int64(-1)) }

    /// Adds a user, as 16 bytes.
    public mutating func add(_ user: UserID) {
        add(Int64(bitPattern: user.high))
        add(Int64(bitPattern: user.low))
    }

    /// The hash of everything that was added, as the signed number that engines store.
    public var value: Int64 { Int64(bitPattern: bytes.withUnsafeBytes { xxHash64($0) }) }
}
