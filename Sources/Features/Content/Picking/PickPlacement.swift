import Audience
import CloudKitWire
import NephosDomain
import NephosQueries
import NephosStorage

/// The group and state of a record at a given time.
struct PickPlacement: Sendable, Equatable {
    var key: PickGroupKey
    var state: PickState
    var weight: Int64
    var shownFrom: Milliseconds
    var moment: Milliseconds

    /// - Returns: nil for a draft.
    init?(_ record: RecordRow, _ content: ContentType, _ type: RecordType, at now: Milliseconds) {
        let values = ContentValues(record, content, type)
        guard let start = values.publishedAt else { return nil }
        key = PickGroupKey(
            collection: values.collection, audience: values.audience, access: Set(values.access).sorted())
        weight = values.weight ?? 1
        (shownFrom, moment) = (PickItemRow.notShown, PickItemRow.never)
        if !values.isReadable {
            (state, weight, key) = (.unreadable, 1, PickGroupKey(collection: values.collection))
        } else if let end = values.until, end <= now {
            state = .ended
        } else if start > now {
            (state, moment) = (.early, start)
        } else if let every = values.every, !RecurringHours.contain(now, every) {
            let next = RecurringHours.nextEdge(every, after: now) ?? PickItemRow.never
            (state, moment) = values.until.map { next < $0 } ?? true ? (.early, next) : (.ended, PickItemRow.never)
        } else {
            state = PickState(openWithWeight: weight)
            let pause = values.every.flatMap { RecurringHours.nextEdge($0, after: now) } ?? PickItemRow.never
            (shownFrom, moment) = (start, min(values.until ?? PickItemRow.never, pause))
        }
    }

    /// The row of the record. - Parameter slot: May be assigned later.
    func row(_ name: Name, _ type: TypeNumber, group: Int64, slot: Int64) -> PickItemRow {
        PickItemRow(
            type: type, group: group, state: state, slot: slot, name: name, weight: weight, shownFrom: shownFrom,
            moment: moment)
    }
}

/// The content fields of a record.
struct ContentValues: Sendable {
    var publishedAt, until: Milliseconds?
    /// Recurring hours.
    var every: Bytes?
    var access: [String] = []
    var audience: Bytes = []
    var collection: Bytes = []
    var weight: Int64?

    init(_ record: RecordRow, _ content: ContentType, _ type: RecordType) {
        self.init(record.liveFields(of: type), content.roles(of: type))
    }

    /// - Parameter roles: By the names of the fields.
    init(_ fields: Bytes, _ roles: [(role: ContentType.Role, field: Name)]) {
        CanonicalFields.read(roles.map(\.field), in: fields) { place, value in
            switch roles[place].role {
            case .publishedAt: publishedAt = value.integer
            case .until: until = value.integer
            case .access: access = value.texts
            case .every: every = value.bytes
            case .audience: audience = value.bytes ?? []
            case .collection: collection = value.bytes ?? []
            case .weight: weight = value.integer
            case .preview: break
            }
        }
    }

    /// Whether it would be accepted if saved today: records saved before their type was content were not checked.
    var isReadable: Bool {
        weight.map(ContentRule.weights.contains) ?? true && access.allSatisfy(ContentType.isProof)
            && AudienceText.isReadable(audience) && every.flatMap(RecurringHours.flaw) == nil
    }
}
