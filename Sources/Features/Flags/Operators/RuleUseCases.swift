import Audience
import CloudKitWire
import NephosDomain
import NephosRunner
import NephosStorage

extension UseCaseGroup {
    static let flagRules = UseCaseGroup(
        "rule", abstract: "Add, list and remove the rules of a flag.", [.addRule, .listRules, .removeRule])
}

extension UseCase {
    fileprivate static let addRule = UseCase(
        "flag rule add", .changes, abstract: "Add a rule to a flag.",
        discussion: """
            Rules are evaluated in order, and the first that matches is served (docs/flags.md, "Rules").

            Examples:

              nephos flag rule add iCloud.com.example.app tipJar \\
                --when '{"locale":"es"}' --serve on
              nephos flag rule add iCloud.com.example.app tipJar \\
                --when '{"audience":"beta"}' \\
                --serve '{"split":{"on":25000,"off":75000}}' --id beta --at 1
            """,
        .tenant, .flagID,
        Input<String?>.option("when", valueName: "json", help: "The condition; everybody if omitted."),
        Input<String>.option(
            "serve", valueName: "variant", help: "The name of a variant, or a variant or split as JSON."),
        Input<String?>.option("id", help: "The rule's id, which responses contain."),
        Input<Int?>.option("at", valueName: "place", help: "Its place among the rules, from 1; last if omitted.")
            .refusing("The place must be at least 1.") { $0.map { $0 > 0 } ?? true }
    ) { call, tenant, id, when, serve, name, place in
        let rule = try RuleText(when: when, serve: serve, id: name)
        try await FlagOperations(call, tenant).change(id) { flag in
            if let missing = flag.missingVariant(serve) { throw missing }
            var list = try JSONList(flag.text(FlagField.rules))
            let place = (place ?? list.elements.count + 1) - 1
            guard (0...list.elements.count).contains(place) else {
                throw Failure("The place must be from 1 to \(list.elements.count + 1).")
            }
            list.elements.insert(rule.json, at: place)
            return .edit([(FlagField.rules, .text(list.text))])
        }
        return .note("Added the rule to flag \(id) in \(tenant.environment.rawValue).")
    }

    fileprivate static let listRules = UseCase(
        "flag rule list", .reads, abstract: "Show the rules of a flag.", .tenant, .flagID, .output
    ) { call, tenant, id, output in
        let list = try JSONList(try FlagOperations(call, tenant).flag(id).text(FlagField.rules))
        let rows = zip(list.ruleIDs, list.elements).enumerated().map { place, rule in
            ["\(place + 1)", rule.0, String(decoding: rule.1, as: UTF8.self)]
        }
        return output.answer(["Place", "Rule", "What"], rows, whenEmpty: "It has no rules.") { json in
            for element in list.elements { json.raw(element) }
        }
    }

    fileprivate static let removeRule = UseCase(
        "flag rule remove", .changes, abstract: "Remove a rule from a flag.", .tenant, .flagID,
        Input<String>.argument("rule", help: "Its id, or its number if it has none.")
    ) { call, tenant, id, rule in
        try await FlagOperations(call, tenant).change(id) { flag in
            var list = try JSONList(flag.text(FlagField.rules))
            guard let place = list.ruleIDs.firstIndex(of: rule) else {
                let known = list.ruleIDs.isEmpty ? "It has none." : "It has: \(list.ruleIDs.joined(separator: ", "))."
                throw Failure("Flag \(id) has no rule \(rule). \(known)")
            }
            list.elements.remove(at: place)
            return .edit([(FlagField.rules, .text(list.text))])
        }
        return .note("Removed the rule \(rule) from flag \(id) in \(tenant.environment.rawValue).")
    }
}

extension StoredFlag {
    /// The failure for a name that is not a variant of the flag; nil for one that is, for JSON, and if the flag is not valid.
    fileprivate func missingVariant(_ serve: String) -> Failure? {
        guard !serve.hasPrefix("{"), !serve.hasPrefix("\""), case .success(let flag) = flag else { return nil }
        let names = flag.variants.map(\.name)
        guard !names.contains(serve) else { return nil }
        return Failure("Flag \(id) has no variant \(serve). Its variants are: \(names.joined(separator: ", ")).")
    }
}
