/// The text of a key file: one key per line in Base64, the newest first. Lines that begin with `#` are ignored.
package enum KeyFile {
    /// - Parameter place: The file, for messages.
    /// - Throws: ``StorageError/noKey(_:)`` for a line that is not a valid key, and for a file without keys.
    package static func keys(_ text: String, from place: String) throws(StorageError) -> [SecretKey] {
        var keys: [SecretKey] = []
        for line in text.split(whereSeparator: \.isNewline) where !line.hasPrefix("#") {
            for word in line.split(whereSeparator: \.isWhitespace) {
                guard let key = SecretKey(text: word) else {
                    // Without the text of the line, which may be most of a key.
                    throw .noKey(
                        """
                        \(place) contains a word that is not a key: a key is \(SecretKey.byteCount) random bytes in Base64, as \
                        nephos secret new prints it
                        """)
                }
                keys.append(key)
            }
        }
        guard !keys.isEmpty else { throw .noKey("\(place) contains no key: create one with nephos secret new") }
        return keys
    }

    package static func text(_ keys: [SecretKey]) -> String { keys.map { "\($0.text)\n" }.joined() }
}
