/// What `/metrics` answers, read as Prometheus reads it (exposition format 0.0.4).
struct Exposition {
    /// Names of samples whose family has no HELP or no TYPE line above them, and lines that are no sample.
    private(set) var faults: [String] = []
    private(set) var families: Set<String> = []

    init(_ text: String) {
        var (helped, types): (Set<Substring>, [Substring: Substring]) = ([], [:])
        for line in text.split(separator: "\n") {
            let words = line.split(separator: " ", maxSplits: 3)
            if line.hasPrefix("# HELP "), words.count == 4 {
                if !helped.insert(words[2]).inserted { faults.append("\(line): twice") }
            } else if line.hasPrefix("# TYPE "), words.count == 4 {
                if types.updateValue(words[3], forKey: words[2]) != nil { faults.append("\(line): twice") }
            } else {
                let name = line.prefix { $0 != "{" && $0 != " " }
                let family = Self.family(of: name, types)
                families.insert(String(family))
                if !helped.contains(family) { faults.append("\(line): no HELP") }
                if types[family] == nil { faults.append("\(line): no TYPE") }
                if line.split(separator: " ").last.flatMap({ Double($0) }) == nil { faults.append("\(line): no value") }
            }
        }
    }

    /// Samples of a histogram have longer names.
    private static func family(of name: Substring, _ types: [Substring: Substring]) -> Substring {
        for ending in ["_bucket", "_sum", "_count"] where name.hasSuffix(ending) {
            let family = name.dropLast(ending.count)
            if types[family] == "histogram" { return family }
        }
        return name
    }
}
