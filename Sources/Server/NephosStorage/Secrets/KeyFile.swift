/// The text of a key file: one key per line in Base64, the newest first. Lines that begin with `#` are ignored.
package enum KeyFile {
    /// Reads the keys from the text of a key file.
    ///
    /// - Parameter place: The file, for messages.
    /// - Throws: ``StorageError/noKey(_:)`` for a line that is not a valid key, and for a file without keys.
    package static func keys(_ text: String, from place: String) throws(StorageError) -> [SecretKey] {
        var keys: [SecretKey] = []
        let lines = text.split(whereSeparator: \.isNewline).filter { !$0.hasPrefix("#") }
        let words = lines.flatMap { $0.split(whereSeparator: \.isWhitespace) }
        for word in words {
            guard let key = SecretKey(text: word) else {
                // The message does not contain the word, which may be most of a key.
                let what = words.count == 1 ? "is not a valid key" : "contains a word that is not a valid key"
                throw .noKey(
                    """
                    \(place) \(what). A key is \(SecretKey.byteCount) random bytes in Base64. An existing store needs the \
                    key that it was created with; for a new one, create a key with: nephos secret new
                    """)
            }
            keys.append(key)
        }
        guard !keys.isEmpty else { throw .noKey("\(place) contains no key. Create one with: nephos secret new") }
        return keys
    }

    package static func text(_ keys: [SecretKey]) -> String { keys.map { "\($0.text)\n" }.joined() }
}
