/// The parts of a language tag as CLDR codes them today, by which tags are compared (docs/audiences.md, "Locales"). They are numbers,
/// because each request of an app has a tag: the letters of a code as bytes, or 0 for what is not stated.
struct Subtags: Sendable, Hashable {
    typealias Code = UInt32

    let language, script, region: Code
    /// The stated script, or else the one in which the language is written in the region.
    let likelyScript: Code

    init(language: String, script: String?, region: String?) {
        let code = Self.code(language)
        // `sh` is `sr-Latn`.
        let now = Self.languages[code, 0] ?? (code, 0)
        let region = region.map { Self.presentRegion(Self.code($0)) } ?? 0
        (self.language, self.region) = (now.first, region)
        self.script = script.map { Self.code($0) } ?? now.second
        likelyScript =
            self.script != 0
            ? self.script : (Self.scripts[now.first, region] ?? Self.scripts[now.first, 0])?.first ?? Self.latin
    }

    /// Whether both mean the same, such as `zh-TW` and `zh-Hant-TW`.
    func isSame(as other: Subtags) -> Bool {
        (language, likelyScript, region) == (other.language, other.likelyScript, other.region)
    }

    /// How far what is tagged with this is from what a reader prefers: 0 if it is the same, more if it is wider; nil if it is not for
    /// them.
    func distance(from reader: Subtags) -> Int? {
        guard script == 0 || script == reader.likelyScript, let regions = regions(from: reader),
            let languages = languages(from: reader)
        else { return nil }
        // Another script weighs more than another language, and that more than all wider regions.
        return (likelyScript == reader.likelyScript ? 0 : 32) + languages * 16 + regions
    }

    /// Whether this is for all readers of the other, whatever else they prefer.
    func includes(_ other: Subtags) -> Bool {
        (script == 0 || script == other.script) && regions(from: other) != nil && languages(from: other) != nil
    }

    private func languages(from reader: Subtags) -> Int? {
        if language == reader.language { return 0 }
        return Self.parents[reader.language, 0]?.first == language ? 1 : nil
    }

    private func regions(from reader: Subtags) -> Int? {
        guard region != 0 else { return reader.region == 0 ? 0 : 8 }
        var (wider, steps) = (reader.region, 0)
        while wider != region {
            guard wider != 0, let next = Self.parents[reader.language, wider]?.second else { return nil }
            (wider, steps) = (next, steps + 1)
        }
        return steps
    }

    /// The code that a region has today, in upper case: `GB` for `uk`.
    static func region(_ code: String) -> String {
        let code = code.uppercased()
        guard code.utf8.count == 2 else { return code }
        let now = presentRegion(self.code(code))
        return String(decoding: [UInt8(truncatingIfNeeded: now >> 8), UInt8(truncatingIfNeeded: now)], as: UTF8.self)
    }

    // MARK: Tables

    private static let latin = code("Latn")

    /// A former code of a language, and the present one with its script.
    private static let languages = CodeTable(
        LanguageTables.aliases.split(separator: " ").map { pair in
            let words = pair.split(separator: ":")
            return (pair: codes(words[0]), value: codes(words[1]))
        })

    private static let regions = CodeTable(
        LanguageTables.regions.split(separator: " ").map { pair in
            let words = pair.split(separator: ":")
            return (pair: codes(words[0]), value: codes(words[1]))
        })

    /// A language, in a region or anywhere, and its script.
    private static let scripts = CodeTable(members(LanguageTables.scripts))

    /// A language, in a region or by itself, and the wider one.
    private static let parents = CodeTable(members(LanguageTables.parents))

    private static func presentRegion(_ code: Code) -> Code { regions[code, 0]?.first ?? code }

    private static func code(_ text: some StringProtocol) -> Code { text.utf8.reduce(0) { $0 << 8 | Code($1) } }

    /// `es`, `es-MX` or `sr-Latn`
    private static func codes(_ tag: Substring) -> CodeTable.Pair {
        let words = tag.split(separator: "-")
        return (code(words.first ?? ""), words.count > 1 ? code(words[1]) : 0)
    }

    /// `es-419: es-AR es-MX`: each member with its group.
    private static func members(_ text: String) -> [(pair: CodeTable.Pair, value: CodeTable.Pair)] {
        var group: Substring = ""
        var members: [(pair: CodeTable.Pair, value: CodeTable.Pair)] = []
        for word in text.split(separator: " ") {
            if word.hasSuffix(":") { group = word.dropLast() } else { members.append((codes(word), codes(group))) }
        }
        return members
    }
}

/// Pairs of codes by pairs of codes: searched without hashing, which takes longer than all else that is done with a tag.
private struct CodeTable: Sendable {
    typealias Pair = (first: Subtags.Code, second: Subtags.Code)

    /// Ascending.
    private let keys: [UInt64]
    private let values: [Pair]

    init(_ rows: [(pair: Pair, value: Pair)]) {
        let sorted = rows.map { (key: Self.key($0.pair.first, $0.pair.second), value: $0.value) }.sorted {
            $0.key < $1.key
        }
        (keys, values) = (sorted.map(\.key), sorted.map(\.value))
    }

    subscript(first: Subtags.Code, second: Subtags.Code) -> Pair? {
        let key = Self.key(first, second)
        var (low, high) = (0, keys.count)
        while low < high {
            let middle = (low + high) / 2
            if keys[middle] < key { low = middle + 1 } else { high = middle }
        }
        return low < keys.count && keys[low] == key ? values[low] : nil
    }

    private static func key(_ first: Subtags.Code, _ second: Subtags.Code) -> UInt64 {
        UInt64(first) << 32 | UInt64(second)
    }
}
