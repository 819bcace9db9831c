import CloudKitWire

/// An environment variable or an option of the server that is not valid.
package struct EnvironmentProblem: Error, Equatable, CustomStringConvertible {
    package let description: String

    package init(description: String) { self.description = description }
}

/// The environment variables; empty ones count as unset.
package struct EnvironmentVariables: Sendable {
    private let values: [String: String]

    package init(_ values: [String: String]) { self.values = values.filter { !$0.value.isEmpty } }

    package func text(_ name: String) -> String? { values[name] }

    package func number(_ name: String, _ range: ClosedRange<Int>) throws(EnvironmentProblem) -> Int? {
        guard let text = values[name] else { return nil }
        guard let number = Digits.number(text.utf8).flatMap(Int.init(exactly:)), range.contains(number) else {
            let needed = "a whole number from \(range.lowerBound) to \(range.upperBound) is needed."
            throw EnvironmentProblem(description: "\(name)=\(text): \(needed)")
        }
        return number
    }

    package func set(_ value: inout Int, _ name: String, _ range: ClosedRange<Int>) throws(EnvironmentProblem) {
        if let number = try number(name, range) { value = number }
    }

    package func setSeconds(_ milliseconds: inout Int64, _ name: String) throws(EnvironmentProblem) {
        if let seconds = try number(name, 1...86_400) { milliseconds = Int64(seconds) * 1_000 }
    }
}
