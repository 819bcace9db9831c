extension Unicode.Scalar {
    /// Whether it controls a terminal (C0, DEL, C1), or turns the direction of the text around it, so that what is shown is not what
    /// is stored. Nothing that is printed for people contains one of a stored text.
    package var steers: Bool {
        switch value {
        case 0..<0x20, 0x7F...0x9F, 0x61C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: true
        default: false
        }
    }
}

extension StringProtocol {
    /// The text with another one in place of each scalar that steers.
    ///
    /// - Parameters:
    ///   - kept: Those that are kept all the same.
    ///   - replacement: By default a symbol.
    package func printable(
        but kept: String = "", _ replacement: (Unicode.Scalar) -> String = { _ in "\u{FFFD}" }
    ) -> String {
        let kept = Set(kept.unicodeScalars)
        func isBad(_ scalar: Unicode.Scalar) -> Bool { scalar.steers && !kept.contains(scalar) }
        guard unicodeScalars.contains(where: isBad) else { return String(self) }
        var text = String.UnicodeScalarView()
        for scalar in unicodeScalars {
            if isBad(scalar) {
                text.append(contentsOf: replacement(scalar).unicodeScalars)
            } else {
                text.append(scalar)
            }
        }
        return String(text)
    }
}
