import CloudKitWire

/// Finds the reason in the body of a response: `{"reason":"BadDeviceToken"}`, some with a timestamp.
enum APNsReason {
    static let lettersMax = 64

    /// nil if there is none that is a plain word of 1 to 64 letters: no other text of a server must get into logs.
    static func find(in body: [UInt8]) -> String? {
        let name = Array(#""reason""#.utf8)
        guard body.count > name.count,
            let at = (0...body.count - name.count).first(where: { body[$0...].starts(with: name) })
        else { return nil }
        var rest = skipBlanks(body[(at + name.count)...])
        guard rest.popFirst() == UInt8(ascii: ":") else { return nil }
        rest = skipBlanks(rest)
        guard rest.popFirst() == UInt8(ascii: "\"") else { return nil }
        let word = rest.prefix(while: \.isLetter)
        guard (1...lettersMax).contains(word.count), rest.dropFirst(word.count).first == UInt8(ascii: "\"") else {
            return nil
        }
        return String(decoding: word, as: UTF8.self)
    }

    private static func skipBlanks(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        bytes.drop { $0 == 0x20 || $0 == 0x09 || $0 == 0x0A || $0 == 0x0D }
    }
}
