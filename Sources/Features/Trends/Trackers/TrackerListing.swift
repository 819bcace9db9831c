import CloudKitWire
import NephosDomain
import NephosStorage

/// Something that is counted or that triggers alarms, its state, and what to do about it.
struct TrackerListing: Sendable, Equatable {
    enum Kind: String, Sendable {
        case type, `private`, list, split, alarm
        /// Imported figures.
        case source
    }

    let kind: Kind
    /// A type, a field with its type, or the name of a source.
    let what: String
    /// In which records a list is counted, the receiver of an alarm, or the zone of days; empty for nothing.
    var detail = ""
    let state: State
    /// A command or another action; empty if nothing is needed.
    var toDo = ""

    enum State: Sendable, Equatable {
        case counting
        /// Percent of the existing records.
        case countingBack(Int)
        /// What it is waiting for, such as a server.
        case waiting(String)
        case mismatch(TrendMismatch)
        /// An alarm: nothing was unusual recently.
        case watching
        case notified(CivilDate)
        case notifying(CivilDate)
        case givenUp(CivilDate)
        /// Figures imported up to a day.
        case handedIn(CivilDate)
    }
}

extension TrackerListing.State {
    var text: String {
        switch self {
        case .counting: "counting"
        case .countingBack(let percent): "counting back \(percent) %"
        case .waiting(let what): "waiting for \(what)"
        case .mismatch(let mismatch): mismatch.text
        case .watching: "watching"
        case .notified(let day): "told of \(day)"
        case .notifying(let day): "trying to tell of \(day)"
        case .givenUp(let day): "gave up telling of \(day)"
        case .handedIn(let day): "up to \(day)"
        }
    }
}

extension [TrackerListing] {
    /// An array of objects with `kind`, `what`, `detail`, `state`, `percent` if it is being counted back, and `toDo`.
    var json: [UInt8] {
        var json = JSONWriter()
        json.beginArray()
        for one in self {
            json.beginObject()
            json.member("kind", one.kind.rawValue)
            json.member("what", one.what)
            if !one.detail.isEmpty { json.member("detail", one.detail) }
            json.member("state", one.state.text)
            if case .countingBack(let percent) = one.state { json.member("percent", Int64(percent)) }
            if !one.toDo.isEmpty { json.member("toDo", one.toDo) }
            json.endObject()
        }
        json.endArray()
        return json.bytes
    }

    /// Rows of a table, including the column for what to do.
    var rows: [[String]] {
        map { one in
            func shown(_ text: String) -> String { text.isEmpty ? "-" : text }
            return [one.kind.rawValue, one.what, shown(one.detail), one.state.text, shown(one.toDo)]
        }
    }
}
