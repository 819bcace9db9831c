import Audience
import CloudKitWire
import NephosDomain
import NephosRunner
import NephosStorage

/// The content records of a response while it is being assembled.
struct ContentAnswer: Sendable {
    let choice: PickChoice
    private let form: ContentForm
    private let roles: [Int64]
    private(set) var records: [StoredRecord] = []
    private var names: Set<Name> = []
    private var bytes = 0

    init(_ form: ContentForm, _ choice: PickChoice, _ roles: [Int64]) {
        (self.form, self.choice, self.roles) = (form, choice, roles)
    }

    var request: ContentCall { form.request }
    private var call: AdmittedCall { request.call }

    var isFull: Bool { records.count >= request.question.count }
    var missing: Int { request.question.count - records.count }
    /// The remaining size for records, in bytes.
    var bytesLeft: Int { call.context.limits.pageBytesMax - bytes }

    func has(_ name: Name) -> Bool { names.contains(name) }

    /// Adds a record, unless it has changed since it was sorted, or the caller may not see it.
    ///
    /// - Returns: Whether it was added.
    @discardableResult
    mutating func take(_ found: Found) -> Bool {
        guard case .record(let row) = found, row.type == request.type.row.number, !names.contains(row.name),
            Visibility(call.context, type: request.type, roles: roles).shows(row),
            choice.admits(
                PickPlacement(row, request.content, request.type, at: call.context.now))
        else { return false }
        names.insert(row.name)
        bytes += row.fields.count
        records.append(StoredRecord(row: row, type: request.type))
        return true
    }

    static func key(_ name: Name) -> RecordKey { RecordKey(zone: .name(Content.database, defaultZoneName), name: name) }

    // MARK: Responding

    /// - Parameter after: Where the next request continues; nil at the end.
    func response(after: String?) -> RawResponse {
        var writer = AnswerWriter(reserving: 256 + 1_024 * records.count, call)
        writer.json.beginObject()
        let zone = call.context.identity(defaultZoneName)
        writer.array("records") { writer in
            for record in records {
                writer.record(record, zone, RecordStyle())
            }
        }
        let visibility = Visibility(call.context, type: request.type, roles: roles)
        writer.json.member("eligible", choice.eligible)
        if choice.eligible == 0 {
            writer.json.key("why")
            choice.why.write(to: &writer.json, withHidden: visibility.showsAll)
        }
        writer.json.key("changesAt")
        if let time = form.changesAt { writer.json.int64(time) } else { writer.json.null() }
        if let after { writer.json.member("after", after) }
        writer.json.endObject()
        return form.answer(writer.bytes, saying: contents(visibility, after))
    }

    /// What the response says, apart from the URLs of files: it differs if that does.
    private func contents(_ visibility: Visibility, _ after: String?) -> [UInt8] {
        var contents = NumberWriter()
        for number in [choice.eligible, form.changesAt ?? 0, visibility.showsAll ? 1 : 0] { contents.number(number) }
        contents.counted(Array((after ?? "").utf8)[...])
        for record in records {
            contents.counted(record.row.name.bytes)
            contents.number(record.row.sequence)
        }
        // A record changes with the fields of its type.
        for (name, field) in request.type.fields.sorted(by: { $0.key < $1.key }) {
            contents.counted(name.bytes)
            contents.number(field.epoch)
        }
        var why = JSONWriter()
        if choice.eligible == 0 { choice.why.write(to: &why, withHidden: visibility.showsAll) }
        return contents.bytes + why.bytes
    }
}
