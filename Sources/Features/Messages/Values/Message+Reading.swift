import Audience
import CloudKitWire
import NephosStorage

extension Message {
    /// Reads a message from a record, complete or not.
    init(_ name: Name, fields: Bytes) throws(MessageFailure) {
        var values: [Name: StoredValue] = [:]
        CanonicalFields.read(Self.names, in: fields) { place, value in values[Self.names[place]] = value }
        let reader = MessageReader(values)
        guard let word = try reader.text(MessageField.kind, most: 40), let kind = MessageKind(rawValue: word) else {
            let kinds = MessageKind.allCases.map(\.rawValue).joined(separator: ", ")
            throw MessageFailure(MessageField.kind, "it must be one of \(kinds)")
        }
        self.init(name, kind)
        title = try reader.localized(MessageField.title, most: Self.titleBytesMax)
        body = try reader.localized(MessageField.body, most: Self.bodyBytesMax)
        buttons = try reader.buttons(of: kind)
        list = try reader.list()
        mailSubject = try reader.localized(MessageField.mailSubject, most: Self.titleBytesMax)
        (url, mailTo) = (try reader.word(MessageField.url), try reader.word(MessageField.mailTo))
        product = try reader.word(MessageField.product)
        requires = try reader.version(MessageField.requires)
        requiresText = try reader.text(MessageField.requires)
        (emoji, hasImage) = (try reader.word(MessageField.emoji, most: 64), values[MessageField.image] != nil)
        label = try reader.localized(MessageField.imageLabel, most: Self.titleBytesMax)
        isDecorative = try reader.flag(MessageField.decorative)
        audience = try reader.text(MessageField.audience, most: 4_096) ?? ""
        slot = try reader.text(MessageField.slot, most: 64) ?? ""
        priority = try reader.number(MessageField.priority, in: Self.priorities) ?? 0
        publishedAt = try reader.number(MessageField.publishedAt, in: Self.times)
        until = try reader.number(MessageField.until, in: Self.times)
        if let publishedAt, let until, until <= publishedAt {
            throw MessageFailure(MessageField.until, "it must be after publishedAt")
        }
        if let url, !Self.isAddress(url) {
            throw MessageFailure(
                MessageField.url, "'\(WireError.excerpt(url))' is not a web address such as https://example.org/new")
        }
        if let mailTo, !Self.isMail(mailTo) {
            throw MessageFailure(
                MessageField.mailTo, "'\(WireError.excerpt(mailTo))' is not a mail address such as ada@example.org")
        }
    }

    /// In byte order, as fields are stored.
    private static let names = (MessageField.texts + MessageField.numbers + MessageField.times + [MessageField.image])
        .sorted()
    private static let times: ClosedRange<Int64> = 0...(Recurrence.moments.upperBound - 1)

    /// Whether every client accepts it as a web address.
    private static func isAddress(_ text: String) -> Bool {
        guard let scheme = ["https://", "http://"].first(where: text.lowercased().hasPrefix) else { return false }
        let bytes = Array(text.utf8.dropFirst(scheme.utf8.count))
        let host = bytes.prefix { !"/?#".utf8.contains($0) }
        let name = host.prefix { $0 != UInt8(ascii: ":") }
        let port = host.dropFirst(name.count + 1)
        guard name.first.map({ $0 != UInt8(ascii: ".") && $0 != UInt8(ascii: "-") }) ?? false,
            name.allSatisfy({ $0.isLetterOrDigit || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "-") }),
            port.count <= 5, port.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
        else { return false }
        var place = 0
        while place < bytes.count {
            let byte = bytes[place]
            guard byte > 0x20, byte < 0x7F, !"<>\"{}|\\^`[]".utf8.contains(byte) else { return false }
            if byte == UInt8(ascii: "%") {
                guard place + 2 < bytes.count, bytes[place + 1].isHexadecimal, bytes[place + 2].isHexadecimal else {
                    return false
                }
            }
            place += 1
        }
        return true
    }

    private static func isMail(_ text: String) -> Bool {
        let words = text.split(separator: "@", omittingEmptySubsequences: false)
        return words.count == 2 && words.allSatisfy { !$0.isEmpty } && text.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F }
            && !text.contains { "?&,;<>\"".contains($0) }
    }
}

extension UInt8 {
    fileprivate var isLetterOrDigit: Bool {
        (self | 0x20) &- UInt8(ascii: "a") < 26 || self &- UInt8(ascii: "0") < 10
    }
    fileprivate var isHexadecimal: Bool { (self | 0x20) &- UInt8(ascii: "a") < 6 || self &- UInt8(ascii: "0") < 10 }
}

/// Reads fields of a message.
private struct MessageReader {
    private let values: [Name: StoredValue]

    init(_ values: [Name: StoredValue]) { self.values = values }

    func text(_ field: Name, most: Int = Message.addressBytesMax) throws(MessageFailure) -> String? {
        guard let value = values[field] else { return nil }
        guard value.type == .string, let bytes = value.bytes else { throw MessageFailure(field, "it must be a STRING") }
        guard bytes.count <= most else { throw MessageFailure(field, "it has more than \(most) bytes") }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The same, but nil for text that consists of spaces only.
    func word(_ field: Name, most: Int = Message.addressBytesMax) throws(MessageFailure) -> String? {
        try text(field, most: most).flatMap { text in text.contains { !$0.isWhitespace } ? text : nil }
    }

    func number(_ field: Name, in range: ClosedRange<Int64>) throws(MessageFailure) -> Int64? {
        guard let value = values[field] else { return nil }
        guard let number = value.integer, range.contains(number) else {
            throw MessageFailure(field, "it is out of range")
        }
        return number
    }

    func flag(_ field: Name) throws(MessageFailure) -> Bool {
        guard let value = values[field] else { return false }
        guard let number = value.integer, (0...1).contains(number) else {
            throw MessageFailure(field, "it must be 0 or 1")
        }
        return number == 1
    }

    func version(_ field: Name) throws(MessageFailure) -> Version? {
        guard let text = try text(field, most: 64) else { return nil }
        guard let version = Version(text) else {
            throw MessageFailure(field, "'\(WireError.excerpt(text))' is not a version such as 2.5")
        }
        return version
    }

    func localized(_ field: Name, most: Int) throws(MessageFailure) -> LocalizedText? {
        try json(field, most: most) { json throws(WireError) in try LocalizedText(&json, bytesMax: most) }
    }

    func list() throws(MessageFailure) -> [LocalizedText] {
        try json(MessageField.list, most: Message.entryBytesMax * Message.listMax) { json throws(WireError) in
            var list: [LocalizedText] = []
            try json.readArray { json, _ throws(WireError) in
                guard list.count < Message.listMax else {
                    throw WireError("more than \(Message.listMax) entries", offset: json.offset, isLimit: true)
                }
                list.append(try LocalizedText(&json, bytesMax: Message.entryBytesMax))
            }
            return list
        } ?? []
    }

    func buttons(of kind: MessageKind) throws(MessageFailure) -> [MessageKind.Role: LocalizedText] {
        try json(MessageField.buttons, most: Message.buttonBytesMax * 3) { json throws(WireError) in
            var buttons: [MessageKind.Role: LocalizedText] = [:]
            try json.readObject { json, key throws(WireError) in
                guard let role = MessageKind.Role(rawValue: key.name.text), kind.roles.contains(role) else {
                    let roles = kind.roles.map(\.rawValue).joined(separator: ", ")
                    throw WireError("a message of kind \(kind.rawValue) has the buttons \(roles)", offset: json.offset)
                }
                buttons[role] = try LocalizedText(&json, bytesMax: Message.buttonBytesMax)
            }
            return buttons
        } ?? [:]
    }

    /// - Parameter most: Bytes per language.
    private func json<Value>(
        _ field: Name, most: Int, _ body: (inout JSONReader) throws(WireError) -> Value
    ) throws(MessageFailure) -> Value? {
        guard let text = try text(field, most: most * LocalizedText.languagesMax) else { return nil }
        do throws(WireError) {
            var json = try JSONReader(Array(text.utf8)[...])
            let value = try body(&json)
            try json.finish()
            return value
        } catch {
            throw MessageFailure(field, error.reason)
        }
    }
}
