import Audience
package import NephosStorage

/// A point in time that an operator types.
package struct TypedMoment: Sendable {
    package let time: Milliseconds

    /// For people.
    package static let expected =
        "Expected a day such as 2027-03-07, or a time: 2027-03-07T08:00:00Z or \"2027-03-07 00:00 Europe/Berlin\"."

    /// A day means its beginning, in UTC.
    package init?(_ text: String) {
        guard let time = Moment.milliseconds(text) ?? Moment.milliseconds("\(text)T00:00:00Z") else { return nil }
        self.time = time
    }
}

extension Input where Value == TypedMoment? {
    package static func moment(_ name: String, help: String) -> Input {
        Input(Input<String?>.option(name, valueName: "time", help: help)) { text throws(WrongInput) in
            guard let text else { return nil }
            guard let time = TypedMoment(text) else {
                throw WrongInput("\(text) is not a valid time. \(TypedMoment.expected)")
            }
            return time
        }
    }
}
