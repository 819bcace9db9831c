package import Audience
package import CloudKitWire
package import NephosDomain
package import NephosStorage

/// A condition that an operator writes now (docs/audiences.md). What evaluation must accept in a stored one is refused in it, because
/// it is a mistake: a key that only a newer version could know, an audience that is not in the settings, a country that is no code,
/// and a range of versions that contains none.
package struct TypedCondition: Sendable {
    /// The supported keys, in the order of docs/audiences.md: one of them was probably meant by another one.
    package static let keys = [
        "audience", "locale", "platform", "device", "country", "app", "os", "signedIn", "role", "person", "fact",
        "claim", "percent", "from", "until", "every", "day", "flag", "all", "any", "not",
    ]

    package let condition: Condition

    /// - Parameters:
    ///   - salt: Of percentages that have none.
    ///   - audiences: nil if audiences are checked elsewhere.
    /// - Throws: The first mistake, with its place.
    package init(_ json: Bytes, salt: String, _ audiences: AudienceBook?) throws(WireError) {
        // As deep as the rules of flags.
        let limits = JSONLimits(depth: 64)
        var reader = try JSONReader(json, limits: limits)
        var conditions = ConditionReader(salt: salt)
        condition = try conditions.read(&reader)
        try reader.finish()
        var again = try JSONReader(json, limits: limits)
        try Self.check(&again, condition.unknownKey, audiences)
    }

    /// - Parameters:
    ///   - json: A valid condition.
    ///   - unknown: A key in it that this version does not support; nil if there is none.
    private static func check(
        _ json: inout JSONReader, _ unknown: String?, _ audiences: AudienceBook?
    ) throws(WireError) {
        try json.readObject { json, key throws(WireError) in
            switch key {
            case "all", "any":
                try json.readArray { json, _ throws(WireError) in try check(&json, unknown, audiences) }
            case "not": try check(&json, unknown, audiences)
            case "audience": try forEachText(&json) { name throws(WireError) in try check(named: name, audiences) }
            case "country":
                try forEachText(&json) { text throws(WireError) in
                    guard text.utf8.count == 2, text.utf8.allSatisfy(\.isLetter) else {
                        throw WireError("a country is two letters such as MX, not \(WireError.excerpt(text))")
                    }
                }
            case "app", "os":
                let text = String(decoding: try json.readString(), as: UTF8.self)
                if containsNothing(text) {
                    throw WireError(
                        "no version is in the range \(WireError.excerpt(text)): its bounds exclude each other")
                }
            default:
                let name = key.name.text
                guard name == unknown else { return }
                let nearest = Spelling.nearest(to: name, in: keys)
                throw WireError(
                    "this version supports no such condition"
                        + (nearest.map { "; did you mean \($0)?" } ?? "; docs/audiences.md lists all"))
            }
        }
    }

    private static func forEachText(
        _ json: inout JSONReader, _ body: (String) throws(WireError) -> Void
    ) throws(WireError) {
        guard try json.kind == .array else { return try body(String(decoding: try json.readString(), as: UTF8.self)) }
        try json.readArray { json, _ throws(WireError) in
            try body(String(decoding: try json.readString(), as: UTF8.self))
        }
    }

    fileprivate static func check(named name: String, _ audiences: AudienceBook?) throws(WireError) {
        guard let audiences, audiences[name] == nil else { return }
        let all = audiences.names
        let known = all.isEmpty ? "none" : all.prefix(10).joined(separator: ", ") + (all.count > 10 ? ", …" : "")
        throw WireError(
            "there is no audience \(WireError.excerpt(name)) in the settings, which have \(known): add it with nephos settings import"
        )
    }

    /// Whether no version is in a range, such as `>=3 <2`.
    private static func containsNothing(_ text: String) -> Bool {
        guard let range = VersionRange(text) else { return false }
        // A range begins with the lowest version of all, with one that is written in it, or with the first one after that.
        let words = text.split { " <>=|".contains($0) }
        let versions = (["0-0"] + words.map(String.init) + words.map(following)).map { Version($0) }
        return versions.allSatisfy { $0.map(range.contains) == false }
    }

    /// The first version after those that begin like a written one.
    private static func following(_ word: Substring) -> String {
        let core = word.prefix { $0 != "+" }
        guard !core.contains("-") else { return "\(core).0" }
        let digits = core.reversed().prefix { $0.isNumber }
        return core.dropLast(digits.count) + "\((Int64(String(digits.reversed())) ?? 0) + 1)-0"
    }
}

extension AudienceText {
    /// Why nobody can belong to an audience as it was meant by the operator who writes it now; nil if somebody can.
    package static func mistake(_ text: Bytes, _ audiences: AudienceBook) -> String? {
        guard let first = text.first(where: { $0 != UInt8(ascii: " ") }) else { return nil }
        do throws(WireError) {
            if first == UInt8(ascii: "{") {
                _ = try TypedCondition(text, salt: "", audiences)
            } else {
                try TypedCondition.check(named: String(decoding: text, as: UTF8.self), audiences)
            }
            return nil
        } catch {
            return error.reason
        }
    }
}
