/// A value and the bytes it was read from, for bytes that are likely to be repeated.
struct Remembered<Value> {
    private var bytes: ArraySlice<UInt8> = []
    private var value: Value?

    /// - Parameter read: Creates a value from bytes that differ from the previous ones.
    mutating func value<Failure: Error>(
        of bytes: ArraySlice<UInt8>, _ read: (ArraySlice<UInt8>) throws(Failure) -> Value
    ) throws(Failure) -> Value {
        if let value, bytes.count == self.bytes.count, bytes.elementsEqual(self.bytes) { return value }
        let made = try read(bytes)
        (self.bytes, value) = (bytes, made)
        return made
    }
}
