/// Writes the few ASN.1 values that a certificate consists of, in DER encoding (X.690).
enum DER {
    static let yes: [UInt8] = value(0x01, [0xFF])

    static func sequence(_ parts: [UInt8]...) -> [UInt8] { value(0x30, parts.flatMap { $0 }) }
    static func set(_ parts: [UInt8]...) -> [UInt8] { value(0x31, parts.flatMap { $0 }) }
    /// - Parameter bytes: Big-endian, with a first byte from 1 to 127.
    static func integer(_ bytes: [UInt8]) -> [UInt8] { value(0x02, bytes) }
    static func bits(_ bytes: [UInt8]) -> [UInt8] { value(0x03, [0] + bytes) }
    static func bytes(_ bytes: [UInt8]) -> [UInt8] { value(0x04, bytes) }
    static func identifier(_ bytes: [UInt8]) -> [UInt8] { value(0x06, bytes) }
    static func text(_ text: String) -> [UInt8] { value(0x0C, Array(text.utf8)) }
    /// - Parameter text: `YYMMDDhhmmssZ`.
    static func time(_ text: String) -> [UInt8] { value(0x17, Array(text.utf8)) }

    /// - Parameter contents: Less than 64 KiB.
    static func value(_ tag: UInt8, _ contents: [UInt8]) -> [UInt8] {
        let count = contents.count
        let length: [UInt8] =
            if count < 0x80 { [UInt8(count)] } else if count < 0x100 { [0x81, UInt8(count)] } else {
                [0x82, UInt8(count >> 8), UInt8(count & 0xFF)]
            }
        return [tag] + length + contents
    }
}
