import Audience
import CloudKitWire
import NephosRunner
import NephosStorage

/// Switches a flag manually. Past switches of its schedule are removed, because they would otherwise override it.
enum FlagSwitch {
    static func edits(_ flag: StoredFlag, to isOn: Bool, at now: Milliseconds) throws -> [(
        field: Name, edit: FieldEdit
    )] {
        var edits: [(field: Name, edit: FieldEdit)] = []
        let state = isOn ? "on" : "off"
        if flag.text(FlagField.state) != state { edits.append((FlagField.state, .text(state))) }
        let schedule = try JSONList(flag.text(FlagField.schedule))
        let later = schedule.later(than: now)
        if later.elements.count < schedule.elements.count { edits.append((FlagField.schedule, .text(later.text))) }
        return edits
    }

    /// The next switch of its schedule, for people.
    static func next(_ flag: StoredFlag, at now: Milliseconds) -> String? {
        guard case .success(let read) = flag.flag, let next = read.schedule.first(where: { $0.at > now }) else {
            return nil
        }
        return "Its schedule switches it \(next.isOn ? "on" : "off") at \(next.at.asDate)."
    }
}
