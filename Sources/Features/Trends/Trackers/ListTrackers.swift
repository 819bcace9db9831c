import CloudKitWire
import NephosDomain
import NephosRunner
import NephosStorage

/// Finds the state of everything that the settings of an environment name under trends.
struct ListTrackers {
    let settings: TrendSettings
    let tenant: Tenant

    var reading: ReadSet {
        var set = ReadSet()
        set.databases = [Trends.database]
        set.ask(TrackerRow.all)
        set.ask(TrendAlarmRow.all)
        set.ask(ImportSeriesRow.all)
        return set
    }

    func list(_ reading: Reading) -> [TrackerListing] {
        let catalog = reading.catalog
        let head = reading.databases.first.flatMap(\.self)
        let trackers = reading[TrackerRow.all]
        let types = (settings.types ?? settings.shown(false, in: catalog)).map { name -> TrackerListing in
            let state = catalog.types[name] == nil ? .mismatch(.noType) : stateOfAll(head)
            return listing(.type, name.text, "", state, .type(name))
        }
        let privates = settings.privateTypes.map { name -> TrackerListing in
            let type = catalog.types[name]?.row.number
            let state = type.map { self.state(of: $0, trackers) } ?? .mismatch(.noType)
            return listing(.private, name.text, "", state, .privateType(name))
        }
        let parts = (settings.lists + settings.splits).map { part -> TrackerListing in
            listing(
                part.isSplit ? .split : .list, "\(part.type).\(part.field)", part.of ?? "",
                state(of: part, head, trackers, catalog),
                part.isSplit ? .split(part.type, part.field) : .list(part.type, part.field, part.kind))
        }
        let alarms = settings.alarms.map { listing($0, catalog, reading[TrendAlarmRow.all]) }
        return types + privates + parts + alarms + reading[ImportSeriesRow.all].bySource.map(listing)
    }

    private func listing(
        _ kind: TrackerListing.Kind, _ what: String, _ detail: String, _ state: TrackerListing.State, _ tracked: Tracked
    ) -> TrackerListing {
        TrackerListing(kind: kind, what: what, detail: detail, state: state, toDo: toDo(state, tracked))
    }

    private func toDo(_ state: TrackerListing.State, _ tracked: Tracked) -> String {
        let id = tenant.container
        let isDeployed = tenant.environment == .production
        let then = isDeployed ? ", then nephos schema deploy \(id)" : ""
        let untrack = "nephos trends untrack \(id) \(tracked.words)\(then)"
        switch state {
        case .mismatch(.noType), .mismatch(.noField):
            return isDeployed
                ? "nephos schema deploy \(id), or \(untrack)" : "nephos schema import \(id) FILE, or \(untrack)"
        case .mismatch: return untrack
        case .waiting(Waiting.room): return "wait until others are counted back, or \(untrack)"
        case .waiting: return "nephos serve"
        default: return ""
        }
    }

    /// What a tracker is waiting for.
    private enum Waiting {
        static let server = "a server"
        static let room = "room"
        static let former = "what was counted before to be forgotten"
    }

    // MARK: States

    private func state(of progress: TrendState.Progress) -> TrackerListing.State {
        progress.isOver ? .counting : .countingBack(Int(progress.cursor * 100 / max(1, progress.through)))
    }

    private func stateOfAll(_ head: HeadRow?) -> TrackerListing.State {
        guard let head, head.recordNumber > 0 else { return .counting }
        return head.trends[TrendState.all].map(state) ?? .waiting(Waiting.server)
    }

    private func state(of type: TypeNumber, _ trackers: [TrackerRow]) -> TrackerListing.State {
        guard let row = trackers.first(where: { $0.side == .inPrivate && $0.key == TrendKey(type: type) }) else {
            return .waiting(Waiting.server)
        }
        guard row.phase == .counting else { return .waiting(Waiting.former) }
        return row.percent == 100 ? .counting : .countingBack(row.percent)
    }

    private func state(
        of part: TrendPart, _ head: HeadRow?, _ trackers: [TrackerRow], _ catalog: Catalog
    ) -> TrackerListing.State {
        if let mismatch = part.mismatch(in: catalog) { return .mismatch(mismatch) }
        guard let type = catalog.types[part.type], let head else { return .waiting(Waiting.server) }
        let key = TrendKey(type: type.row.number, part: part.id)
        let row = trackers.first { $0.side == .inPublic && $0.key == key }
        guard row.map({ $0.phase == .counting && $0.fieldEpoch == type.fields[part.field]?.epoch }) ?? true else {
            return .waiting(Waiting.former)
        }
        if row != nil, let progress = head.trends[key] { return state(of: progress) }
        var larger = head.trends
        larger[key] = TrendState.Progress(begunAt: head.time, through: max(1, head.recordNumber))
        return .waiting(larger.hasRoom ? Waiting.server : Waiting.room)
    }

    // MARK: Alarms and sources

    private func listing(_ alarm: TrendAlarm, _ catalog: Catalog, _ rows: [TrendAlarmRow]) -> TrackerListing {
        let receiver =
            switch alarm.target {
            case .webhook(let address): address.url
            case .mail(let address): address.text
            }
        let last = rows.filter { $0.receiver == alarm.receiver }.max { $0.day < $1.day }
        let state: TrackerListing.State =
            if catalog.types[alarm.type] == nil {
                .mismatch(.noType)
            } else {
                switch last?.phase {
                case nil: .watching
                case .waiting: .notifying(CivilDate(last?.day ?? 0))
                case .notified: .notified(CivilDate(last?.day ?? 0))
                case .givenUp: .givenUp(CivilDate(last?.day ?? 0))
                }
            }
        let toDo =
            switch state {
            case .mismatch: "name another type under trends.alarms in the settings"
            case .notifying where (last?.attempts ?? 0) > 0, .givenUp:
                "check the server's log to see why \(receiver) does not accept it"
            default: ""
            }
        return TrackerListing(kind: .alarm, what: alarm.type.text, detail: receiver, state: state, toDo: toDo)
    }

    private func listing(_ source: ImportSource) -> TrackerListing {
        TrackerListing(
            kind: .source, what: source.name, detail: source.zone, state: .handedIn(CivilDate(source.lastDay)))
    }
}
