/// Bodies that no server should send.
package enum HostileBodies {
    private static let strange = [
        "", " ", "null", "true", "7", "\"x\"", "[]", "[{}]", "{}", "{", "}", "<html>", "\u{FEFF}{}", "NaN", "1e400",
        String(repeating: "[", count: 100_000), String(repeating: #"{"a":"#, count: 100_000),
        "[" + String(repeating: "1,", count: 100_000) + "1]",
    ]

    private static let values = [
        "null", "true", "\"x\"", "\"\"", "[]", "{}", "[[]]", "[{}]", "0", "-1", "1e400", "-1e400", "1e-400",
        "9223372036854775807", "-9223372036854775808", "9223372036854775808", "18446744073709551616", "NaN",
        "\"1e400\"",
        #""../../../etc/passwd""#, #""/etc/passwd""#, #""a\u0000b""#, #""\ud800""#, #""file:///etc/passwd""#,
        #""javascript:0""#, #""http://[::1""#, "\"\(String(repeating: "x", count: 10_000))\"",
    ]

    /// Strange ones, and variants of a good one: each value replaced by others, and each key twice.
    package static func all(insteadOf good: JSON) -> [String] {
        var bodies = strange
        for place in good.places {
            var answer = good
            answer[at: place] = "HOSTILE"
            bodies += values.map { answer.description.replacing("\"HOSTILE\"", with: $0) }
            guard let first = good[at: place].members.first else { continue }
            answer[at: place] = .object(good[at: place].members + [first])
            bodies.append(answer.description)
        }
        return bodies
    }
}
