import CloudKitWire
import NephosStorage

/// A limit of interruptions: a number of messages in a number of days, over all slots. `{"messages":1,"days":7}`
struct MessageCap: Sendable, Equatable {
    private static let counts: ClosedRange<Int64> = 1...100
    /// No longer than it is known who has seen a message after its end.
    private static let lengths: ClosedRange<Int64> = 1...(MessageSaltRow.keptFor / 86_400_000)

    let messages: Int
    let days: Int64

    var period: Milliseconds { days * 86_400_000 }

    init(_ json: inout JSONReader) throws(WireError) {
        let start = json.offset
        var (messages, days): (Int64?, Int64?)
        try json.readObject { json, key throws(WireError) in
            switch key {
            case "messages": messages = try Self.number(&json, Self.counts)
            case "days": days = try Self.number(&json, Self.lengths)
            default: throw WireError("unknown key; a cap has messages and days", offset: json.offset)
            }
        }
        guard let messages, let days else {
            throw WireError("a cap needs messages and days, such as {messages: 1, days: 7}", offset: start)
        }
        (self.messages, self.days) = (Int(messages), days)
    }

    private static func number(_ json: inout JSONReader, _ range: ClosedRange<Int64>) throws(WireError) -> Int64 {
        let start = json.offset
        let number = try json.readInt64()
        guard range.contains(number) else {
            throw WireError("it must be from \(range.lowerBound) to \(range.upperBound)", offset: start)
        }
        return number
    }

    /// Until when somebody is shown no further message.
    ///
    /// - Parameter shown: When each message was first shown to them.
    /// - Returns: nil if they are below the limit.
    func end(_ shown: [Milliseconds], now: Milliseconds) -> Milliseconds? {
        let recent = shown.filter { $0 + period > now }.sorted(by: >)
        return recent.count < messages ? nil : recent[messages - 1] + period
    }
}
