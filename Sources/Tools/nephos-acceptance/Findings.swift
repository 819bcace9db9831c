/// What one schema file's run found.
struct Findings {
    var file: String
    var types = 0
    var records = 0
    var queries = 0
    var leftOut: [String] = []
    private(set) var mismatches: [String] = []

    init(file: String) { self.file = file }

    mutating func mismatch(_ text: String) { mismatches.append(String(text.prefix(600))) }

    /// Notes the text, when there is one.
    mutating func mismatch(ifAny text: String?) {
        if let text { mismatch(text) }
    }
}

/// The server's answer is not one that the run can go on with.
struct UnusableAnswer: Error, CustomStringConvertible {
    var description: String
}
