import CloudKitWire
import Crypto
import CryptoExtras

/// The stored hash of a password: scrypt (RFC 7914), with its parameters.
struct PasswordHash: Sendable, Equatable {
    /// The cost of computing a hash: 128 · `blockSize` · 2^`rounds` bytes of memory, and time in proportion to that and to
    /// `lanes`.
    struct Cost: Sendable, Equatable {
        /// Logarithm to base 2 of scrypt's N.
        let rounds: Int
        /// scrypt's r.
        let blockSize: Int
        /// scrypt's p.
        let lanes: Int

        /// For passwords that are set from now on: 32 MB.
        static let current = Cost(rounds: 15, blockSize: 8, lanes: 3)
        /// Limits the memory that any stored hash can make a server use: 64 MB.
        private static let bytesMax = 64 << 20

        init(rounds: Int, blockSize: Int, lanes: Int) {
            (self.rounds, self.blockSize, self.lanes) = (rounds, blockSize, lanes)
        }

        fileprivate var isBounded: Bool {
            (1...20).contains(rounds) && (1...32).contains(blockSize) && (1...16).contains(lanes)
                && 128 * blockSize << rounds <= Self.bytesMax
        }
    }

    static let saltBytes = 16
    private static let hashBytes = 32

    let cost: Cost
    let salt: [UInt8]
    let hash: [UInt8]

    /// Computes a hash. Takes the time and the memory of `cost`.
    ///
    /// - Parameter salt: ``saltBytes`` random bytes.
    init(of password: Password, salt: [UInt8], cost: Cost) throws {
        self.cost = cost
        self.salt = salt
        hash = try Self.derived(password, salt, cost)
    }

    /// A hash that matches no password, used if there is no account, so that the comparison takes as long.
    init(forDummy cost: Cost, random: [UInt8]) {
        self.cost = cost
        salt = Array(random.prefix(Self.saltBytes))
        hash = [UInt8](repeating: 0, count: Self.hashBytes)
    }

    /// Whether it is the hash of a password. Takes as long for a wrong one.
    func isOf(_ password: Password) throws -> Bool {
        let derived = try Self.derived(password, salt, cost)
        return zip(derived, hash).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
    }

    private static func derived(_ password: Password, _ salt: [UInt8], _ cost: Cost) throws -> [UInt8] {
        let key = try KDF.Scrypt.deriveKey(
            from: password.bytes, salt: salt, outputByteCount: hashBytes, rounds: 1 << cost.rounds,
            blockSize: cost.blockSize, parallelism: cost.lanes)
        return key.withUnsafeBytes { Array($0) }
    }

    // MARK: Stored form

    /// `scrypt$15$8$3$SALT$HASH`: the cost, then both in base64url.
    var text: String {
        let numbers = [cost.rounds, cost.blockSize, cost.lanes].map(String.init)
        return (["scrypt"] + numbers + [Base64.text(salt, .urlSafe), Base64.text(hash, .urlSafe)])
            .joined(separator: "$")
    }

    /// - Parameter text: In the form of ``text``; the result is nil for any other, and for a cost above the limits.
    init?(_ text: String) {
        let parts = text.split(separator: "$", omittingEmptySubsequences: false)
        guard parts.count == 6, parts[0] == "scrypt" else { return nil }
        let numbers = parts[1...3].compactMap { Digits.number($0.utf8, max: 1_024).map(Int.init) }
        guard numbers.count == 3, let salt = Base64.bytes(exactly: String(parts[4]), .urlSafe),
            let hash = Base64.bytes(exactly: String(parts[5]), .urlSafe), salt.count == Self.saltBytes,
            hash.count == Self.hashBytes
        else { return nil }
        cost = Cost(rounds: numbers[0], blockSize: numbers[1], lanes: numbers[2])
        guard cost.isBounded else { return nil }
        (self.salt, self.hash) = (salt, hash)
    }
}
