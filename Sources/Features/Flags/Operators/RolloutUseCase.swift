import Audience
import CloudKitWire
import NephosDomain
import NephosRunner
import NephosStorage

extension UseCase {
    static let rollOut = UseCase(
        "flag rollout", .changes, abstract: "Serve the on variant to a share of everybody.",
        discussion: """
            The share is the last of the flag's rules, with the id rollout. Everybody who is in the share stays in it as it grows.

            Example:

              nephos flag rollout iCloud.com.example.app tipJar 12.5
            """,
        .tenant, .flagID,
        Input<String>.argument("percent", help: "0 to 100, with at most three digits after the point.")
    ) { call, tenant, id, text in
        guard let share = Share(text) else {
            throw Failure(
                "\(text) is not a percentage: pass 0 to 100, with at most three digits after the point.",
                kind: .wrongUsage)
        }
        let flag = try await FlagOperations(call, tenant).change(id) { flag in
            let (on, off) = try flag.read().rollout(of: id)
            var list = try JSONList(flag.text(FlagField.rules))
            for place in list.ruleIDs.indices.reversed() where list.ruleIDs[place] == RuleText.rollout {
                list.elements.remove(at: place)
            }
            list.elements.append(RuleText(share, on: on, off: off).json)
            return .edit([(FlagField.rules, .text(list.text))])
        }
        let next = call.command("flag on \(tenant.asTyped) \(id)")
        return .note(
            "In \(tenant.environment.rawValue), flag \(id) serves \(text) % of those that no other rule matches."
        )
        .noting(
            flag.state(at: call.now()) == "off"
                ? "It is switched off, so this has no effect yet. Switch it on with: \(next)" : nil)
    }
}

extension Flag {
    /// The variants for people inside and outside of a share.
    fileprivate func rollout(of id: String) throws(Failure) -> (on: String, off: String) {
        let on = kind == .boolean ? variants.first { $0.json == Array("true".utf8) } : defaultVariant
        guard let on, on.name != offVariant.name else {
            throw Failure(
                "Flag \(id) has only its off variant, and nothing to roll out: add a variant, and make it the default (docs/flags.md)."
            )
        }
        return (on.name, offVariant.name)
    }
}

/// A share of all people, in thousandths of a percent.
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
