import NephosStorage

/// Some values of one kind, each once, and where each stands among them: few are compared one by one, many are found by
/// their hash. The hash has a secret of the process, so that nobody can choose values that all have the same.
struct ValueSet: Sendable {
    /// Up to so many, comparing takes less than hashing.
    static let fewMax = 8

    /// A value by its hash.
    private struct Slot {
        var hash: UInt32 = 0
        /// -1 where there is none.
        var number: Int32 = -1
    }

    private(set) var values: [QueryValue] = []
    /// The count is a power of two, and half of it stays empty; no slots for few values.
    private var table: [Slot] = []

    init() {}

    init(distinct values: [QueryValue]) {
        self.values = values
        if values.count > Self.fewMax { rehash(size: 2 * values.count) }
    }

    var count: Int { values.count }

    /// Adds a value, unless it is there. Only to a set that was empty: from the first value on it is found by its hash.
    mutating func insert(_ value: QueryValue) {
        if values.count * 2 >= table.count { rehash(size: 4 * values.count) }
        let hash = value.tableHash
        guard find(hash, { values[$0].equals(value) }) == nil else { return }
        values.append(value)
        put(values.count - 1, hash)
    }

    /// Where a value stands; nil where it does not, and where the meter is over.
    @inline(__always)
    func place(of value: QueryValue, _ meter: inout Meter) -> Int? {
        if table.isEmpty {
            guard meter.goesOn(values.count) else { return nil }
            return values.firstIndex { $0.equals(value) }
        }
        guard meter.goesOn() else { return nil }
        return find(value.tableHash) { values[$0].equals(value) }
    }

    /// Where a text stands.
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

    /// - Parameter size: The fewest slots.
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
    /// Strings as a whole: the standard library hashes their bytes one by one.
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
