/// Character classes, independent of the locale: ASCII only, no other script. Inlinable, because names are examined byte by byte.
extension UInt8 {
    /// Whether this is one of the characters 0-9, a-f and A-F.
    @inlinable package var isHexadecimalDigit: Bool { Hexadecimal.value(of: self) != nil }

    /// Whether this is one of the characters 0-9.
    @inlinable package var isDigit: Bool { self &- UInt8(ascii: "0") < 10 }

    /// Whether this is one of the characters a-z and A-Z.
    @inlinable package var isLetter: Bool { (self | 0x20) &- UInt8(ascii: "a") < 26 }
}
