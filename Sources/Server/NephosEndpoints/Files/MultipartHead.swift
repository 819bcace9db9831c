import NephosRunner

/// The boundary that a content type names (RFC 2046 §5.1.1).
enum MultipartBoundary {
    /// nil if `contentType` is not multipart, or if its boundary is not valid: 1 to 70 printable characters.
    static func of(_ contentType: String) -> String? {
        var rest = contentType[...].trimmed
        guard String(rest.prefix(10)).isEqualIgnoringCase(to: "multipart/"),
            let parameters = rest.firstIndex(of: ";")
        else { return nil }
        rest = rest[parameters...]
        while rest.first == ";" {
            rest = rest.dropFirst().trimmed
            let name = rest.prefix { $0 != "=" && $0 != ";" }
            rest = rest[name.endIndex...]
            guard rest.first == "=" else { continue }
            rest = rest.dropFirst().trimmed
            let value = takeValue(&rest)
            if String(name.trimmed).isEqualIgnoringCase(to: "boundary") { return value.flatMap(checked) }
        }
        return nil
    }

    /// A token, or a string in quotes; nil if its quotes are not closed.
    private static func takeValue(_ rest: inout Substring) -> String? {
        defer { rest = rest.drop { $0 != ";" } }
        guard rest.first == "\"" else { return String(rest.prefix { $0 != ";" }.trimmed) }
        rest = rest.dropFirst()
        var value = ""
        while let next = rest.popFirst() {
            switch next {
            case "\"": return value
            case "\\": if let escaped = rest.popFirst() { value.append(escaped) }
            default: value.append(next)
            }
        }
        return nil
    }

    private static func checked(_ boundary: String) -> String? {
        let isFine = (1...70).contains(boundary.utf8.count) && boundary.utf8.allSatisfy { (0x20...0x7E).contains($0) }
        return isFine && !boundary.hasSuffix(" ") ? boundary : nil
    }
}

/// The headers of a part, preceded by the rest of the boundary's line.
struct PartHeaders {
    private(set) var contentType: String?
    /// Whether each line is a header, and the boundary's line contained nothing else.
    private(set) var isWellFormed = true

    /// nil unless `bytes` end with an empty line, not counting that of the boundary.
    init?(_ bytes: [UInt8]) {
        guard bytes.suffix(2).elementsEqual("\n\n".utf8) || bytes.suffix(3).elementsEqual("\n\r\n".utf8) else {
            return nil
        }
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map { line in
            String(decoding: line.last == UInt8(ascii: "\r") ? line.dropLast() : line, as: UTF8.self)
        }
        isWellFormed = lines[0][...].trimmed.isEmpty
        for line in lines.dropFirst() where !line.isEmpty { read(line) }
    }

    private mutating func read(_ line: String) {
        // A line that begins with a blank continues the previous one, which is not the one we need.
        if line.first == " " || line.first == "\t" { return }
        guard let colon = line.firstIndex(of: ":") else {
            isWellFormed = false
            return
        }
        guard contentType == nil, String(line[..<colon]).isEqualIgnoringCase(to: "content-type") else { return }
        contentType = String(line[line.index(after: colon)...].trimmed)
    }
}
