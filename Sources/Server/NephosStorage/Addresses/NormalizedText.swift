// Unicode's tables are in the standard library, which compares texts by them, but offers no normalized text publicly.
@_spi(_Unicode) import Swift

extension String {
    /// The text in Unicode's NFC: letters with their marks as one character where there is one. Texts that look the same have
    /// the same bytes then, however a keyboard composed them.
    package var composed: String { Self(of: _nfc) }

    /// The same in NFD: letters, and their marks one by one.
    package var decomposed: String { Self(of: _nfd) }

    private init(of scalars: some Swift.Sequence<Unicode.Scalar>) {
        var view = UnicodeScalarView()
        for scalar in scalars { view.append(scalar) }
        self.init(view)
    }
}
