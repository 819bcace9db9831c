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
            Rules are evaluated in order, and the first that matches is served (docs/flags.md, "Rules"). Everybody else gets the flag's default \
            variant, which --else sets. Without it, the first rule of a Boolean flag sets it to the opposite of what the rule serves, and \
            for a split to the off variant.

            Examples:

              nephos flag rule add iCloud.com.example.app tipJar \\
                --when '{"locale":"es"}' --serve on
              nephos flag rule add iCloud.com.example.app theme \\
                --when '{"platform":"iOS"}' --serve dark --else paper
              nephos flag rule add iCloud.com.example.app tipJar \\
                --when '{"audience":"beta"}' \\
                --serve '{"split":{"on":25000,"off":75000}}' --id beta --at 1
            """,
        .tenant, .flagID,
        Input<String?>.option("when", valueName: "json", help: "The condition; everybody if omitted."),
        Input<String>.option(
            "serve", valueName: "variant", help: "The name of a variant, or a variant or split as JSON."),
        Input<String?>.option(
            "else", valueName: "variant", help: "The variant for everybody else, whom no rule matches."),
        Input<String?>.option("id", help: "The rule's id, which responses contain."),
        Input<Int?>.option("at", valueName: "place", help: "Its place among the rules, from 1; last if omitted.")
            .refusing("The place must be at least 1.") { $0.map { $0 > 0 } ?? true }
    ) { call, tenant, id, when, serve, other, name, place in
        let rule = try RuleText(when: when, serve: serve, id: name)
        let operations = try FlagOperations(call, tenant)
        if let when { try operations.check(when) }
        try await operations.change(id) { flag in
            for variant in [serve, other].compactMap(\.self) {
                if let missing = flag.missingVariant(variant) { throw missing }
            }
            var list = try JSONList(flag.text(FlagField.rules))
            let place = (place ?? list.elements.count + 1) - 1
            guard (0...list.elements.count).contains(place) else {
                throw Failure("The place must be from 1 to \(list.elements.count + 1).")
            }
            let isFirst = list.elements.isEmpty
            list.elements.insert(rule.json, at: place)
            let next = try flag.with(rules: list.text)
            var edits: [(field: Name, edit: FieldEdit)] = [(FlagField.rules, .text(list.text))]
            if let rest = other ?? (isFirst ? next.opposite(of: next.rules[place]) : nil) {
                edits.append((FlagField.defaultVariant, .text(rest)))
            }
            return .edit(edits)
        }
        return .note("Added the rule to flag \(id) in \(tenant.environment.rawValue).")
            .noting(try operations.flag(id).restSentence(at: call.now()))
    }

    fileprivate static let listRules = UseCase(
        "flag rule list", .reads, abstract: "Show the rules of a flag.", .tenant, .flagID, .output
    ) { call, tenant, id, output in
        let flag = try FlagOperations(call, tenant).flag(id)
        let list = try JSONList(flag.text(FlagField.rules))
        let rows = zip(list.ruleIDs, list.elements).enumerated().map { place, rule in
            ["\(place + 1)", rule.0, String(decoding: rule.1, as: UTF8.self)]
        }
        return output.answer(["Place", "Rule", "What"], rows, whenEmpty: "It has no rules.") { json in
            for element in list.elements { json.raw(element) }
        }
        .noting(flag.restSentence(at: call.now()))
    }

    fileprivate static let removeRule = UseCase(
        "flag rule remove", .changes, abstract: "Remove a rule from a flag.", .tenant, .flagID,
        Input<String>.argument("rule", help: "Its id, or its number if it has none.")
    ) { call, tenant, id, rule in
        let operations = try FlagOperations(call, tenant)
        try await operations.change(id) { flag in
            var list = try JSONList(flag.text(FlagField.rules))
            guard let place = list.ruleIDs.firstIndex(of: rule) else {
                let known = list.ruleIDs.isEmpty ? "It has none." : "It has: \(list.ruleIDs.joined(separator: ", "))."
                throw Failure("Flag \(id) has no rule \(rule). \(known)")
            }
            list.elements.remove(at: place)
            return .edit([(FlagField.rules, .text(list.text))])
        }
        return .note("Removed the rule \(rule) from flag \(id) in \(tenant.environment.rawValue).")
            .noting(try operations.flag(id).restSentence(at: call.now()))
    }
}

extension FlagOperations {
    /// Refuses a condition that nobody can match as it was meant.
    fileprivate func check(_ condition: String) throws {
        let audiences = try catalog.audiences()
        do throws(WireError) {
            _ = try TypedCondition(Array(condition.utf8)[...], salt: "", audiences)
        } catch {
            let reason = error.reason
            throw Failure("--when: \(reason)\(reason.hasSuffix("?") ? "" : ".")", kind: .wrongUsage)
        }
    }
}

extension StoredFlag {
    /// The flag with other rules. - Throws: Why it would not be valid.
    fileprivate func with(rules: String) throws(Failure) -> Flag {
        do throws(FlagFailure) {
            var fields = try FlagFields(record.name, record.fields)
            fields.rules = rules
            return try Flag(fields)
        } catch {
            throw Failure("\(error)")
        }
    }

    /// The failure for a name that is not a variant of the flag; nil for one that is, for JSON, and if the flag is not valid.
    fileprivate func missingVariant(_ serve: String) -> Failure? {
        guard !serve.hasPrefix("{"), !serve.hasPrefix("\""), case .success(let flag) = flag else { return nil }
        let names = flag.variants.map(\.name)
        guard !names.contains(serve) else { return nil }
        return Failure("Flag \(id) has no variant \(serve). Its variants are: \(names.joined(separator: ", ")).")
    }
}

extension Flag {
    /// The variant for everybody else if this rule is the only one: the opposite of what it serves, and for a split the off variant.
    /// nil if the flag is not Boolean, and if the rule is for everybody.
    fileprivate func opposite(of rule: FlagRule) -> String? {
        guard kind == .boolean, rule.when != nil else { return nil }
        let served = servedVariants(of: rule)
        guard served.count == 1, let only = served.first else { return offVariant.name }
        return ([offVariant, defaultVariant] + variants).first { $0.json != only.json }?.name
    }
}
