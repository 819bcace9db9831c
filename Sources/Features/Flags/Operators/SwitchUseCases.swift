import Audience
import CloudKitWire
import NephosDomain
import NephosRunner
import NephosStorage

extension UseCase {
    static let flagOn = switching("on", true, "Switch a flag on, so that its rules apply.")
    static let flagOff = switching("off", false, "Switch a flag off immediately: everybody gets its off variant.")

    private static func switching(_ word: String, _ isOn: Bool, _ abstract: String) -> UseCase {
        UseCase("flag \(word)", .changes, abstract: abstract, .tenant, .flagID) { call, tenant, id in
            let operations = try FlagOperations(call, tenant)
            let (now, place) = (call.now(), tenant.environment.rawValue)
            var isSo = false
            let flag = try await operations.change(id) { flag in
                let edits = try FlagSwitch.edits(flag, to: isOn, at: now)
                isSo = edits.isEmpty
                return isSo ? nil : .edit(edits)
            }
            return .note(isSo ? "Flag \(id) is \(word) in \(place) already." : "Flag \(id) is \(word) in \(place).")
                .noting(isOn ? flag.restSentence(isOn: true) : nil)
                .noting(FlagSwitch.next(flag, at: now))
        }
    }

    static let flagSchedule = UseCase(
        "flag schedule", .changes, abstract: "Switch a flag at a given time.",
        discussion: """
            AT is a moment, or a local time in a time zone, which follows daylight saving time.

            Examples:

              nephos flag schedule iCloud.com.example.app tipJar on 2027-03-07T08:00:00Z
              nephos flag schedule iCloud.com.example.app tipJar off \\
                "2027-03-08 00:00 America/Los_Angeles"
            """,
        .tenant, .flagID, Input<OnOff>.argument("state", help: "on or off."),
        Input<String>.argument("at", help: "The time.").refusing(FlagDate.expected) { Moment.milliseconds($0) != nil }
    ) { call, tenant, id, state, text in
        let operations = try FlagOperations(call, tenant)
        guard let at = Moment.milliseconds(text), at > call.now() else {
            throw Failure(
                "\(text) is in the past. Switch it now with: \(call.command("flag \(state) \(tenant.asTyped) \(id)"))"
            )
        }
        let flag = try await operations.change(id) { flag in
            var list = try JSONList(flag.text(FlagField.schedule))
            // A new switch replaces one at the same time.
            list.elements.removeAll { JSONList.string("at", of: $0).flatMap(Moment.milliseconds) == at }
            var json = JSONWriter()
            json.beginObject()
            json.member("at", text)
            json.member("state", state.rawValue)
            json.endObject()
            list.elements.append(json.bytes[...])
            return .edit([(FlagField.schedule, .text(list.text))])
        }
        return .note("Flag \(id) will be switched \(state.rawValue) in \(tenant.environment.rawValue) at \(at.asDate).")
            .noting(state == .on ? flag.restSentence(at: call.now()) : nil)
    }
}

enum OnOff: String, InputWord, CaseIterable { case on, off }

/// A day or a moment, as operators type it.
enum FlagDate {
    static let expected = "Pass a moment such as 2027-03-07T08:00:00Z or \"2027-03-07 00:00 Europe/Berlin\"."

    /// A date stands for its beginning in UTC.
    static func milliseconds(_ text: String) -> Milliseconds? { TypedMoment(text)?.time }
}
