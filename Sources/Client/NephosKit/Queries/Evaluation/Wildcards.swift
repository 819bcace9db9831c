/// Matches the patterns of `LIKE`: `?` stands for any one character, `*` for any number of characters.
enum Wildcards {
    static func match(_ text: String, _ pattern: String) -> Bool {
        let (text, pattern) = (Array(text), Array(pattern))
        var (here, there) = (0, 0)
        /// The position of the last star in the pattern, and the end of the text that it matches so far.
        var star: (pattern: Int, text: Int)?
        while here < text.count {
            if there < pattern.count, pattern[there] == "*" {
                star = (there, here)
                there += 1
            } else if there < pattern.count, pattern[there] == "?" || pattern[there] == text[here] {
                here += 1
                there += 1
            } else if let last = star {
                star = (last.pattern, last.text + 1)
                (here, there) = (last.text + 1, last.pattern + 1)
            } else {
                return false
            }
        }
        return pattern[there...].allSatisfy { $0 == "*" }
    }
}
