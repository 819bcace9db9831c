extension String {
    /// Whether it consists of 1 to `count` visible ASCII characters, as everything does that a client takes from a response to send it
    /// back.
    ///
    /// A header cannot have any other text, and no request has room for any length: without this check one response could make all
    /// later requests fail, also after the next start of the program if the value is stored.
    package func isVisibleASCII(atMost count: Int) -> Bool {
        (1...count).contains(utf8.count) && utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }
}
