import Audience
import CloudKitWire
import NephosDomain
import NephosRunner
import NephosStorage

extension UseCaseGroup {
    static let flagRules = UseCaseGroup(
        "rule", abstract: "Say whom a flag serves what.", [.addRule, .listRules, .removeRule])
}

extension UseCase {
    fileprivate static let addRule = UseCase(
        "flag rule add", .changes, abstract: "Add a rule to a flag.",
        discussion: """
            Rules are looked at in their order, and the first that fits is served (docs/flags.md, "Rules").

            Examples:

              nephos flag rule add iCloud.com.example.app tipJar --when '{"locale":"es"}' --serve on
              nephos flag rule add iCloud.com.example.app tipJar --when '{"audience":"beta"}' \
            --serve '{"split":{"on":25000,"off":75000}}' --id beta --at 1
            """,
        .tenant, .flagID,
        Input<String?>.option("when", valueName: "json", help: "Whom it is for; everybody without it."),
        Input<String>.option(
            "serve", valueName: "variant", help: "The name of a variant; or a variant or a split as JSON."),
        Input<String?>.option("id", help: "How answers name it."),
        Input<Int?>.option("at", valueName: "place", help: "Its place among the rules, from 1; the last without it.")
    ) { call, tenant, id, when, serve, name, place in
        let rule = try RuleText(when: when, serve: serve, id: name)
        try await FlagDesk(call, tenant).change(id) { flag in
            var list = try JSONList(flag.text(FlagField.rules))
            let place = (place ?? list.elements.count + 1) - 1
            guard (0...list.elements.count).contains(place) else {
                throw Failure("The place is 1 to \(list.elements.count + 1).")
            }
            list.elements.insert(rule.json, at: place)
            return .edit([(FlagField.rules, .text(list.text))])
        }
        return .note("Flag \(id) has the rule.")
    }

    fileprivate static let listRules = UseCase(
        "flag rule list", .reads, abstract: "Show the rules of a flag.", .tenant, .flagID, .output
    ) { call, tenant, id, output in
        let list = try JSONList(try FlagDesk(call, tenant).flag(id).text(FlagField.rules))
        let rows = zip(list.ruleIDs, list.elements).enumerated().map { place, rule in
            ["\(place + 1)", rule.0, String(decoding: rule.1, as: UTF8.self)]
        }
        return output.answer(["Place", "Rule", "What"], rows, whenEmpty: "It has no rules.") { json in
            for element in list.elements { json.raw(element) }
        }
    }

    fileprivate static let removeRule = UseCase(
        "flag rule remove", .changes, abstract: "Take a rule from a flag.", .tenant, .flagID,
        Input<String>.argument("rule", help: "Its id; its number, where it has none.")
    ) { call, tenant, id, rule in
        try await FlagDesk(call, tenant).change(id) { flag in
            var list = try JSONList(flag.text(FlagField.rules))
            guard let place = list.ruleIDs.firstIndex(of: rule) else {
                let known = list.ruleIDs.isEmpty ? "It has none." : "It has: \(list.ruleIDs.joined(separator: ", "))."
                throw Failure("Flag \(id) has no rule \(rule). \(known)")
            }
            list.elements.remove(at: place)
            return .edit([(FlagField.rules, .text(list.text))])
        }
        return .note("Flag \(id) has the rule \(rule) no more.")
    }

    static let rollOut = UseCase(
        "flag rollout", .changes, abstract: "Serve a share of everybody the on variant.",
        discussion: """
            It is the last of the rules, with the id rollout. Who is in stays in as the share grows.

            Example:

              nephos flag rollout iCloud.com.example.app tipJar 12.5
            """,
        .tenant, .flagID,
        Input<String>.argument("percent", help: "0 to 100, with three digits after the point at most.")
    ) { call, tenant, id, text in
        guard let share = Share(text) else {
            throw Failure(
                "\(text) is no share: expected is 0 to 100, with three digits after the point at most.",
                kind: .wrongUsage)
        }
        let flag = try await FlagDesk(call, tenant).change(id) { flag in
            let (on, off) = try flag.read().rollout(of: id)
            var list = try JSONList(flag.text(FlagField.rules))
            for place in list.ruleIDs.indices.reversed() where list.ruleIDs[place] == RuleText.rollout {
                list.elements.remove(at: place)
            }
            list.elements.append(RuleText(share, on: on, off: off).json)
            return .edit([(FlagField.rules, .text(list.text))])
        }
        let next = call.command("flag on \(tenant.container) \(id)")
        return .note("Flag \(id) serves \(text) % of those that no other rule fits.")
            .noting(flag.state(at: call.now()) == "off" ? "It is off, and serves nobody so until: \(next)" : nil)
    }
}

extension Flag {
    /// The variants between which a share of everybody is drawn.
    fileprivate func rollout(of id: String) throws(Failure) -> (on: String, off: String) {
        let on = kind == .boolean ? variants.first { $0.json == Array("true".utf8) } : defaultVariant
        guard let on, on.name != offVariant.name else {
            throw Failure(
                "Flag \(id) has no variant beside that of being off: give it one, and make it the defaultVariant.")
        }
        return (on.name, offVariant.name)
    }
}

/// A share of everybody in thousandths of a percent.
struct Share {
    let thousandths: Int64

    init?(_ text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard let first = parts.first, (1...2).contains(parts.count), (1...3).contains(first.utf8.count),
            text.utf8.allSatisfy({ $0 == UInt8(ascii: ".") || $0 &- UInt8(ascii: "0") < 10 })
        else { return nil }
        let digits = parts.count == 2 ? String(parts[1]) : "0"
        guard (1...3).contains(digits.utf8.count), let whole = Int64(first),
            let fraction = Int64(digits + String(repeating: "0", count: 3 - digits.utf8.count))
        else { return nil }
        thousandths = whole * 1_000 + fraction
        guard thousandths <= 100_000 else { return nil }
    }
}
