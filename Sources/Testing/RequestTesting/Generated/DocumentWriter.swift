import CloudKitWire
import NephosStorage

/// Generates valid documents, as JSON: conditions, recurrences, flags, content, messages and settings (docs/audiences.md, docs/flags.md,
/// docs/content.md, docs/messages.md, docs/settings.md).
struct DocumentWriter {
    var decisions: Decisions
    /// The time of the server.
    let now: Milliseconds
    /// Audiences that conditions may name.
    private(set) var audiences: [String] = []

    static let flagIDs = (0..<4).map { "f\($0)" }
    static let languages = ["en", "es"]
    static let slots = ["main", "side"]
    static let kinds = ["information", "website", "newVersion", "email", "purchase"]

    init(_ decisions: Decisions, now: Milliseconds) { (self.decisions, self.now) = (decisions, now) }

    // MARK: JSON

    static func quoted(_ text: String) -> String {
        var json = JSONWriter()
        json.string(text)
        return String(decoding: json.bytes, as: UTF8.self)
    }

    static func object(_ members: [(String, String)]) -> String {
        "{\(members.map { "\(quoted($0.0)):\($0.1)" }.joined(separator: ","))}"
    }

    static func array(_ values: [String]) -> String { "[\(values.joined(separator: ","))]" }

    private mutating func oneOrMore(_ values: [String]) -> String {
        let first = Self.quoted(decisions.one(of: values))
        guard decisions.happens(oneIn: 3) else { return first }
        let others = decisions.some(of: values).map(Self.quoted).filter { $0 != first }
        return Self.array([first] + others)
    }

    private mutating func word() -> String {
        decisions.one(of: ["a", "plan", "pro", "naïve", "🦊", "two words", "a\"b\\c", "e\u{301}", "<b>", "x=y&z"])
    }

    // MARK: Values

    /// Around the server's time, and sometimes far away.
    mutating func time() -> Milliseconds {
        let unit: Milliseconds = decisions.one(of: [1, 1_000, 3_600_000, 86_400_000, 31_536_000_000])
        let time = now + unit * (decisions.number(in: 0...200) - 100)
        return min(max(time, 0), 253_402_300_799_000)
    }

    private mutating func moment() -> String {
        guard decisions.happens(oneIn: 3) else { return Self.quoted(ISO8601.text(time())) }
        let day = "\(2020 + decisions.below(30))-\(two(1...12))-\(two(1...28))"
        return Self.quoted("\(day) \(two(0...23)):\(two(0...59)) \(zone())")
    }

    private mutating func two(_ range: ClosedRange<Int64>) -> String {
        let number = decisions.number(in: range)
        return number < 10 ? "0\(number)" : "\(number)"
    }

    private mutating func zone() -> String {
        decisions.one(of: [
            "UTC", "Europe/Berlin", "America/Los_Angeles", "Asia/Kathmandu", "Australia/Lord_Howe", "Pacific/Apia",
            "Africa/Casablanca", "Antarctica/Troll",
        ])
    }

    mutating func version() -> String {
        let numbers = decisions.list(1...4) { "\($0.below(20))" }.joined(separator: ".")
        guard decisions.happens(oneIn: 4) else { return numbers }
        return numbers + decisions.one(of: ["-beta", "-beta.2", "-rc.10", "-1.a", "+build"])
    }

    private mutating func range() -> String {
        let alternatives = (0...decisions.below(2)).map { _ in
            let bounds = (0...decisions.below(2)).map { _ in
                decisions.one(of: [">=", ">", "<", "<=", "=", ""]) + String(version().prefix { $0 != "+" })
            }
            return bounds.joined(separator: " ")
        }
        return Self.quoted(alternatives.joined(separator: " || "))
    }

    mutating func recurrence() -> String {
        let zone = ("zone", Self.quoted(zone()))
        if decisions.happens(oneIn: 3) {
            let days = [day(), day()]
            // Two equal ones have no hours between them.
            let until = days[0] == days[1] ? (days[0] == "12-31" ? "01-01" : "12-31") : days[1]
            return Self.object([("from", Self.quoted(days[0])), ("until", Self.quoted(until)), zone])
        }
        var members = [("days", oneOrMore(["mon", "tue", "wed", "thu", "fri", "sat", "sun"]))]
        let from = "\(two(0...23)):\(two(0...59))"
        if decisions.happens(oneIn: 2) {
            members.append(("from", Self.quoted(from)))
            let until = "\(two(0...23)):\(two(0...59))"
            members.append(("until", Self.quoted(until == from ? "24:00" : until)))
        }
        return Self.object(members + [zone])
    }

    private mutating func day() -> String {
        let day = "\(two(1...12))-\(two(1...28))"
        return decisions.happens(oneIn: 8)
            ? "02-29" : decisions.happens(oneIn: 4) ? "\(day) \(two(0...23)):\(two(0...59))" : day
    }

    // MARK: Conditions

    /// - Parameter depth: How deep others may be inside it.
    mutating func condition(depth: Int = 3) -> String {
        var members: [(String, String)] = []
        for _ in 0...decisions.below(2) {
            let member = conditionMember(depth)
            let isKnown = members.contains { $0.0 == member.0 }
            // A span whose end may be before its beginning.
            let isSpan = member.0 == "until" && members.contains { $0.0 == "from" }
            let isBack = member.0 == "from" && members.contains { $0.0 == "until" }
            if !isKnown, !isSpan, !isBack { members.append(member) }
        }
        return Self.object(members)
    }

    private mutating func conditionMember(_ depth: Int) -> (String, String) {
        let flat = 17
        switch decisions.below(depth > 0 ? flat + 3 : flat) {
        case 0: return ("locale", oneOrMore(["es", "es-MX", "en", "zh-TW", "zh-Hant-TW", "pt_BR", "en_US@rg=gbzzzz"]))
        case 1: return ("platform", oneOrMore(["iOS", "macOS", "web", "tvos"]))
        case 2: return ("device", oneOrMore(["iPhone", "iPad", "Mac"]))
        case 3: return ("country", oneOrMore(["MX", "de", "US"]))
        case 4: return ("app", range())
        case 5: return ("os", range())
        case 6: return ("signedIn", decisions.happens(oneIn: 2) ? "true" : "false")
        case 7: return ("role", oneOrMore(["Admin", "Tester"]))
        case 8: return ("claim", facts())
        case 9: return ("fact", facts())
        case 10: return ("percent", percent())
        case 11: return ("from", moment())
        case 12: return ("until", moment())
        case 13: return ("every", recurrence())
        case 14:
            let id = decisions.one(of: Self.flagIDs)
            let variants = Self.object([(id, oneOrMore(["on", "off"]))])
            return ("flag", decisions.happens(oneIn: 2) ? variants : Self.quoted(id))
        case 15:
            guard !audiences.isEmpty else { return ("signedIn", "false") }
            return ("audience", oneOrMore(audiences))
        case 16: return ("weather", Self.quoted(word()))
        case 17: return ("all", conditions(depth))
        case 18: return ("any", conditions(depth))
        default: return ("not", condition(depth: depth - 1))
        }
    }

    private mutating func conditions(_ depth: Int) -> String {
        Self.array((0..<decisions.below(4)).map { _ in condition(depth: depth - 1) })
    }

    private mutating func facts() -> String {
        guard decisions.happens(oneIn: 2) else { return oneOrMore(["plan", "beta", "seats"]) }
        return Self.object([(decisions.one(of: ["plan", "beta", "seats"]), scalar())])
    }

    private mutating func scalar() -> String {
        decisions.one(of: ["true", "false", "0", "3", "-1.5", "1e3", Self.quoted(word()), #"["pro",2,true]"#])
    }

    private mutating func percent() -> String {
        let share = decisions.one(of: ["0", "100", "12.5", "0.001", "99.999", "50"])
        guard decisions.happens(oneIn: 2) else { return share }
        return Self.object([("share", share), ("salt", Self.quoted(word()))])
    }

    // MARK: Settings

    /// The sections of a file, by name. From then on conditions may name their audiences.
    mutating func sections() -> [(name: String, json: String)] {
        var audiences: [(String, String)] = []
        for number in 0..<decisions.below(4) {
            // One that names others names earlier ones, so there is no circle.
            audiences.append(("a\(number)", condition()))
            self.audiences.append("a\(number)")
        }
        var messages = [
            ("type", Self.quoted("Message")), ("languages", Self.array(Self.languages.map(Self.quoted))),
            ("kinds", Self.array(Self.kinds.map(Self.quoted))), ("slots", Self.array(Self.slots.map(Self.quoted))),
        ]
        if decisions.happens(oneIn: 3) {
            messages.append(("cap", #"{"messages":\#(1 + decisions.below(5)),"days":\#(1 + decisions.below(7))}"#))
        }
        let roles = ["until", "every", "access", "audience", "weight", "collection"].filter { _ in
            !decisions.happens(oneIn: 6)
        }
        let content = Self.object([("Chibi", Self.object(roles.map { ($0, Self.quoted($0)) }))])
        return [
            ("audiences", Self.object(audiences)), ("flags", #"{"type":"FeatureFlag"}"#), ("content", content),
            ("messages", Self.object(messages)), ("constraints", constraints()), ("trends", trends()),
            ("clients", #"{"report":\#(decisions.happens(oneIn: 2)),"keepDays":\#(1 + decisions.below(400))}"#),
        ]
    }

    /// Those that generated records keep.
    private mutating func constraints() -> String {
        let rules = [
            #"{"rule":"range","field":"weight","min":0,"max":1000}"#,
            #"{"rule":"length","field":"title","max":\#(100 + decisions.below(100)),"message":"Too long."}"#,
            #"{"rule":"oneOf","field":"collection","values":["cats","dogs",""]}"#,
            #"{"rule":"atMost","count":\#(50 + decisions.below(50)),"where":{"collection":"cats"}}"#,
        ]
        let chosen = decisions.some(of: rules)
        return chosen.isEmpty ? "{}" : Self.object([("Chibi", Self.array(chosen))])
    }

    private mutating func trends() -> String {
        var members = [("zone", Self.quoted(zone()))]
        if decisions.happens(oneIn: 2) { members.append(("types", decisions.one(of: [#""all""#, #"["Chibi"]"#]))) }
        if decisions.happens(oneIn: 2) { members.append(("private", #"["Note"]"#)) }
        if decisions.happens(oneIn: 2) { members.append(("splits", #"[{"type":"Chibi","field":"collection"}]"#)) }
        if decisions.happens(oneIn: 2) {
            let of = decisions.one(of: ["newest", "all", "record:c0"])
            members.append(("lists", #"[{"type":"Chibi","field":"access","of":"\#(of)"}]"#))
        }
        return Self.object(members)
    }

    // MARK: Flags

    /// The fields of a flag, all of them texts.
    mutating func flag(_ id: String) -> [(name: String, text: String)] {
        var fields: [(name: String, text: String)] = []
        let kind = decisions.one(of: ["boolean", "string", "number", "json"])
        if kind != "boolean" || decisions.happens(oneIn: 2) { fields.append(("kind", kind)) }
        let names = ["on", "off", "c", "🦊"].prefix(2 + decisions.below(3)).map(\.self)
        fields.append(("variants", Self.object(names.map { ($0, variant(kind)) })))
        fields.append(("offVariant", decisions.one(of: names)))
        fields.append(("defaultVariant", decisions.one(of: names)))
        if !decisions.happens(oneIn: 4) { fields.append(("state", decisions.one(of: ["on", "on", "off"]))) }
        if decisions.happens(oneIn: 3) { fields.append(("salt", word())) }
        let rules = (0..<decisions.below(5)).map { rule($0, names) }
        if !rules.isEmpty { fields.append(("rules", Self.array(rules))) }
        let others = decisions.some(of: Self.flagIDs.filter { $0 != id && decisions.happens(oneIn: 3) })
        if !others.isEmpty {
            let needed = others.map { other in
                decisions.happens(oneIn: 2)
                    ? Self.quoted(other)
                    : Self.object([("flag", Self.quoted(other)), ("variants", Self.array([#""on""#]))])
            }
            fields.append(("prerequisites", Self.array(needed)))
        }
        if decisions.happens(oneIn: 3) {
            let entries = (0...decisions.below(3)).map { _ in
                Self.object([("at", moment()), ("state", Self.quoted(decisions.one(of: ["on", "off"])))])
            }
            // Two entries of one time are refused.
            fields.append(("schedule", Self.array(Array(Set(entries)).sorted())))
        }
        return fields
    }

    private mutating func variant(_ kind: String) -> String {
        switch kind {
        case "boolean": decisions.happens(oneIn: 2) ? "true" : "false"
        case "string": Self.quoted(word())
        case "number": decisions.one(of: ["0", "1", "-2.5", "1e10", "0.1"])
        default: decisions.one(of: [#"{"a":[1,null,{"b":"c"}]}"#, "[]", "{}", "null", #""text""#, "17"])
        }
    }

    private mutating func rule(_ number: Int, _ names: [String]) -> String {
        var members: [(String, String)] = []
        if decisions.happens(oneIn: 2) { members.append(("id", Self.quoted("rule \(number)"))) }
        if !decisions.happens(oneIn: 4) { members.append(("when", condition())) }
        members.append(("serve", serve(names)))
        return Self.object(members)
    }

    private mutating func serve(_ names: [String]) -> String {
        switch decisions.below(3) {
        case 0: return Self.quoted(decisions.one(of: names))
        case 1: return Self.object([("variant", Self.quoted(decisions.one(of: names)))])
        default:
            let first = decisions.number(in: 0...100_000)
            let split = Self.object([(names[0], "\(first)"), (names[1], "\(100_000 - first)")])
            var members = [("split", split)]
            if decisions.happens(oneIn: 3) { members.append(("salt", Self.quoted(word()))) }
            return Self.object(members)
        }
    }

    // MARK: Content

    /// A record of the type of content.
    struct Content {
        var publishedAt, until: Milliseconds?
        var every, audience, collection: String?
        var access: [String] = []
        var weight: Int64?
    }

    mutating func content() -> Content {
        var content = Content()
        if !decisions.happens(oneIn: 6) { content.publishedAt = time() }
        if decisions.happens(oneIn: 2) {
            content.until = max(time(), (content.publishedAt ?? 0) + 1 + Int64(decisions.below(1_000)))
        }
        if decisions.happens(oneIn: 3) { content.every = recurrence() }
        if decisions.happens(oneIn: 2) { content.audience = audience() }
        if decisions.happens(oneIn: 2) { content.collection = decisions.one(of: ["cats", "dogs"]) }
        if decisions.happens(oneIn: 5) {
            content.access = [decisions.one(of: ["signedIn", "role:Admin", "fact:subscriber"])]
        }
        if decisions.happens(oneIn: 2) { content.weight = decisions.number(in: 1...1_000) }
        return content
    }

    /// The name of an audience, or a condition.
    private mutating func audience() -> String {
        !audiences.isEmpty && decisions.happens(oneIn: 2) ? decisions.one(of: audiences) : condition(depth: 2)
    }

    // MARK: Messages

    /// The fields of a message as in a request.
    mutating func message() -> [(name: String, json: String)] {
        let kind = decisions.one(of: Self.kinds)
        var fields: [(name: String, json: String)] = [("kind", text(kind)), ("title", texts()), ("body", texts())]
        let roles = ["information": ["okay"], "website": ["action", "cancel"], "email": ["action", "cancel"]]
        let buttons = (roles[kind] ?? ["action", "cancel", "okay"]).map { ($0, localized()) }
        fields.append(("buttons", text(Self.object(buttons))))
        switch kind {
        case "website":
            fields.append(("url", text(decisions.one(of: ["https://example.org/a?b=%20c", "http://a:80"]))))
        case "newVersion": fields.append(("requires", text(version())))
        case "email":
            fields += [("mailTo", text("ada@example.org")), ("mailSubject", texts())]
        case "purchase": fields.append(("product", text("pro")))
        default: break
        }
        if decisions.happens(oneIn: 3) { fields.append(("list", text(Self.array([localized(), localized()])))) }
        if decisions.happens(oneIn: 3) { fields += [("emoji", text("💃")), ("imageLabel", texts())] }
        fields.append(("audience", text(decisions.happens(oneIn: 2) ? audience() : "everybody")))
        fields.append(("slot", text(decisions.one(of: Self.slots))))
        if decisions.happens(oneIn: 2) {
            fields.append(("priority", Self.object([("value", "\(decisions.number(in: 0...2_000) - 1_000)")])))
        }
        let start = time()
        if !decisions.happens(oneIn: 6) { fields.append(("publishedAt", Self.timestamp(start))) }
        if decisions.happens(oneIn: 2) {
            fields.append(("until", Self.timestamp(max(time(), start + 1 + Int64(decisions.below(1_000))))))
        }
        return fields
    }

    static func timestamp(_ time: Milliseconds) -> String { #"{"value":\#(time),"type":"TIMESTAMP"}"# }

    private func text(_ text: String) -> String { Self.object([("value", Self.quoted(text))]) }

    private mutating func texts() -> String { text(localized()) }

    private mutating func localized() -> String {
        Self.object(Self.languages.map { ($0, Self.quoted(word())) })
    }

    // MARK: Contexts

    /// What an app reports.
    mutating func context() -> [(name: String, text: String)] {
        var context: [(name: String, text: String)] = []
        if !decisions.happens(oneIn: 3) { context.append(("targetingKey", decisions.one(of: ["d1", "d2", "🦊"]))) }
        if !decisions.happens(oneIn: 3) {
            context.append(("locale", decisions.one(of: ["es-MX", "en", "zh-Hant-TW", "pt-BR"])))
        }
        if !decisions.happens(oneIn: 3) { context.append(("appVersion", version())) }
        if decisions.happens(oneIn: 2) { context.append(("osVersion", version())) }
        if decisions.happens(oneIn: 2) { context.append(("platform", decisions.one(of: ["iOS", "macos", "web"]))) }
        if decisions.happens(oneIn: 2) { context.append(("device", decisions.one(of: ["iPhone", "Mac"]))) }
        if decisions.happens(oneIn: 2) { context.append(("country", decisions.one(of: ["MX", "DE"]))) }
        return context
    }
}
