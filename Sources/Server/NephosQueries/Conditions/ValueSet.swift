import NephosStorage

/// Distinct values of one kind, with their indices: few are compared one by one, many are found by their hash. The hash is seeded
/// per process, so that nobody can choose colliding values.
struct ValueSet: Sendable {
    /// Up to this count, comparing is faster than hashing.
    static let fewMax = 8

    /// A value in the hash table.
    private struct Slot {
        var hash: UInt32 = 0
        /// -1 if empty.
        var number: Int32 = -1
    }

    private(set) var values: [QueryValue] = []
    /// The size is a power of two, and half of it stays empty; no table for few values.
    private var table: [Slot] = []

    init() {}

    init(distinct values: [QueryValue]) {
        self.values = values
        if values.count > Self.fewMax { rehash(size: 2 * values.count) }
    }

    var count: Int { values.count }

    /// Inserts a value, unless it is present. Only for a set that was created empty: it uses the hash table from the first value
    /// on.
    mutating func insert(_ value: QueryValue) {
        if values.count * 2 >= table.count { rehash(size: 4 * values.count) }
        let hash = value.tableHash
        guard find(hash, { values[$0].equals(value) }) == nil else { return }
        values.append(value)
        put(values.count - 1, hash)
    }

    /// The index of a value; nil if it is absent, and if the meter is over.
    @inline(__always)
    func place(of value: QueryValue, _ meter: inout Meter) -> Int? {
        if table.isEmpty {
            guard meter.goesOn(values.count) else { return nil }
            return values.firstIndex { $0.equals(value) }
        }
        guard meter.goesOn() else { return nil }
        return find(value.tableHash) { values[$0].equals(value) }
    }

    /// The index of a text.
    func place(ofText text: UnsafeBufferPointer<UInt8>, _ meter: inout Meter) -> Int? {
        let text = UnsafeRawBufferPointer(text)
        if table.isEmpty {
            guard meter.goesOn(values.count) else { return nil }
            return values.firstIndex { $0.equals(text) }
        }
        guard meter.goesOn() else { return nil }
        return find(text.tableHash) { values[$0].equals(text) }
    }

    @inline(__always)
    private func find(_ hash: Int, _ isEqual: (Int) -> Bool) -> Int? {
        var slot = hash & (table.count - 1)
        while table[slot].number >= 0 {
            let number = Int(table[slot].number)
            if table[slot].hash == UInt32(truncatingIfNeeded: hash), isEqual(number) { return number }
            slot = (slot + 1) & (table.count - 1)
        }
        return nil
    }

    /// - Parameter size: The minimum number of slots.
    private mutating func rehash(size: Int) {
        var count = 32
        while count < size { count *= 2 }
        table = [Slot](repeating: Slot(), count: count)
        for number in values.indices { put(number, values[number].tableHash) }
    }

    private mutating func put(_ number: Int, _ hash: Int) {
        var slot = hash & (table.count - 1)
        while table[slot].number >= 0 { slot = (slot + 1) & (table.count - 1) }
        table[slot] = Slot(hash: UInt32(truncatingIfNeeded: hash), number: Int32(number))
    }
}

extension QueryValue {
    /// Hashes whole strings: the standard library hashes their bytes one by one.
    fileprivate var tableHash: Int {
        switch self {
        case .bytes(let bytes): return bytes.withUnsafeBytes { $0.tableHash }
        case .integer, .double, .user: return hashValue
        }
    }

    @inline(__always)
    fileprivate func equals(_ other: QueryValue) -> Bool {
        if case .bytes(let bytes) = other { return bytes.withUnsafeBytes { equals($0) } }
        return self == other
    }

    @inline(__always)
    fileprivate func equals(_ text: UnsafeRawBufferPointer) -> Bool {
        guard case .bytes(let bytes) = self, bytes.count == text.count else { return false }
        return bytes.withUnsafeBytes { compareBytes($0, text) == 0 }
    }
}

extension UnsafeRawBufferPointer {
    fileprivate var tableHash: Int {
        var hasher = Hasher()
        hasher.combine(bytes: self)
        return hasher.finalize()
    }
}
