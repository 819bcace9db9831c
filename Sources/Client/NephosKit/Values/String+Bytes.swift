extension String {
    /// Whether both texts consist of the same bytes.
    ///
    /// `==` also treats canonically equivalent texts as equal, such as the two spellings of "é". To a server these are two names
    /// (docs/protocol.md, N2), so that whoever controls it could return one record in place of another.
    func hasSameBytes(as other: String) -> Bool {
        utf8.count == other.utf8.count && utf8.elementsEqual(other.utf8)
    }

    /// Hashes the bytes, in accordance with ``hasSameBytes(as:)``.
    func hashBytes(into hasher: inout Hasher) {
        var text = self
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        // Separates the text from the next one.
        hasher.combine(0xFF as UInt8)
    }
}
