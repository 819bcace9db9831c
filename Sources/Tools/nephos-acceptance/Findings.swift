/// The findings of a run of one schema file.
struct Findings {
    var file: String
    var types = 0
    var records = 0
    var queries = 0
    var leftOut: [String] = []
    private(set) var mismatches: [String] = []

    init(file: String) { self.file = file }

    mutating func mismatch(_ text: String) { mismatches.append(String(text.prefix(600))) }

    /// Records the text, if there is one.
    mutating func mismatch(ifAny text: String?) {
        if let text { mismatch(text) }
    }
}

/// A response of the server with which the run cannot continue.
struct UnusableAnswer: Error, CustomStringConvertible {
    var description: String
}
