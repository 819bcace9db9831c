import NephosStorage

extension Bytes {
    /// Length of the first `orders.count` parts of an order key; nil for bytes that are not valid parts.
    func length(of orders: ArraySlice<QueryOrder>) -> Int? {
        var rest = self
        for order in orders {
            guard let length = rest.partLength(order) else { return nil }
            rest = rest.dropFirst(length)
        }
        return count - rest.count
    }

    private func partLength(_ order: QueryOrder) -> Int? {
        guard let first else { return nil }
        if first == KeyPart.missing { return 1 }
        let width: Int? =
            switch order.field.kind {
            case .integer, .double, .place: 8
            case .user: 16
            case .bytes, .none: nil
            }
        guard let width else { return stringLength(isDescending: order.isDescending) }
        return count > width ? 1 + width : nil
    }

    /// A string ends after a 00 that is not followed by FF.
    private func stringLength(isDescending: Bool) -> Int? {
        let zero: UInt8 = isDescending ? 0xFF : 0x00
        var index = startIndex + 1
        while index + 1 < endIndex {
            if self[index] != zero {
                index += 1
            } else if self[index + 1] == ~zero {
                index += 2
            } else {
                return index + 2 - startIndex
            }
        }
        return nil
    }

    /// The number in a part for a cell or a distance; nil if it is missing.
    func partNumber() -> UInt64? {
        guard count >= KeyPart.cellLength, first == KeyPart.present else { return nil }
        return withUnsafeBytes { UInt64(bigEndian: $0.loadUnaligned(fromByteOffset: 1, as: UInt64.self)) }
    }

    /// The distance in the first part of a key.
    func partDistance() -> Double? { partNumber().map { Double(bitPattern: $0 & ~(1 << 63)) } }
}
