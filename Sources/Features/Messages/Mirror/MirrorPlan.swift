import CloudKitWire
import NephosDomain
import NephosRunner
import NephosStorage

/// The next thing to do so that records of the template match the messages: the first of its properties that is not empty.
struct MirrorPlan: Sendable {
    /// One transparent pixel, as PNG.
    static let noPicture: [UInt8] = [
        0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0x00, 0x00, 0x00, 0x0D, 0x49, 0x48, 0x44, 0x52,
        0x00, 0x00, 0x00, 0x01, 0x00, 0x00, 0x00, 0x01, 0x08, 0x06, 0x00, 0x00, 0x00, 0x1F, 0x15, 0xC4,
        0x89, 0x00, 0x00, 0x00, 0x0B, 0x49, 0x44, 0x41, 0x54, 0x78, 0xDA, 0x63, 0x60, 0x00, 0x02, 0x00,
        0x00, 0x05, 0x00, 0x01, 0xE9, 0xFA, 0xDC, 0xD8, 0x00, 0x00, 0x00, 0x00, 0x49, 0x45, 0x4E, 0x44,
        0xAE, 0x42, 0x60, 0x82,
    ]

    let catalog: Catalog
    /// Records marked as current that are not, with their types.
    private(set) var stale: [(type: Name, record: RecordRow)] = []
    /// Records which template record a message has, or that a message is no longer current.
    private(set) var noting: ChangeMirrorRow?
    /// What to write to the record of the current message; nil if it is up to date.
    private(set) var writing: (type: Name, name: Name, old: RecordRow?, message: RecordRow, mirror: MirrorRecord)?

    /// - Parameter newName: The name for a record that is created.
    init(_ store: any TenantStore, _ memory: MessageCache, newName: Name, now: Milliseconds) throws {
        let ready = try memory.current(store, now: now)
        catalog = try store.read(ReadSet()).catalog
        let settings = try catalog.messages()
        let type = settings?.mirror.flatMap { catalog.types[$0]?.row }
        let rows = try MirrorRow.all(in: store)
        // A record of a type used earlier is no longer current.
        if let row = rows.first(where: { $0.isCurrent && $0.type != type?.number }) {
            if let record = try Self.record(row, store), let name = catalog.type(row.type)?.row.name,
                TemplateNumbers(record).isCurrent
            {
                stale = [(name, record)]
            } else {
                noting = ChangeMirrorRow(of: row.message) { $0?.settled }
            }
            return
        }
        guard let settings, let type else { return }
        var (walk, records): (TypeWalk, [RecordRow]) = (TypeWalk(type.number), [])
        while let page = try walk.next(store) { records += page.records }
        let current = ready.items.first { item in
            item.message.slot == settings.slots[0] && item.message.audience == Message.everybody
                && item.message.isOpen(at: now)
        }
        let row = current.flatMap { item in rows.first { $0.message == item.message.id } }
        stale = records.filter { TemplateNumbers($0).isCurrent && ($0.name != row?.record || row?.type != type.number) }
            .prefix(RecordSave.most).map { (type.name, $0) }
        guard stale.isEmpty, let current else { return }
        guard let row, row.isCurrent, row.identifier != 0, row.type == type.number else {
            let known = (records.compactMap { TemplateNumbers($0).identifier } + rows.map(\.identifier))
                .filter(MirrorRow.identifiers.contains)
            let next = (known.max() ?? 0) + 1
            let (message, number) = (current.message.id, type.number)
            noting = ChangeMirrorRow(of: message) { old in
                var row = old ?? MirrorRow(message: message, identifier: 0, type: number, record: newName)
                if row.type != number { (row.type, row.record) = (number, newName) }
                if row.identifier == 0 { row.identifier = next }
                row.isCurrent = true
                return row
            }
            return
        }
        let record = records.first { $0.name == row.record }
        let mirror = MirrorRecord(message: current.message, identifier: row.identifier)
        guard record.map({ mirror.isStored(by: $0, picture: current.record.picture) }) != true else { return }
        writing = (type.name, row.record, record, current.record, mirror)
    }

    private static func record(_ row: MirrorRow, _ store: any TenantStore) throws(StorageError) -> RecordRow? {
        var set = ReadSet()
        set.records = [RecordKey(zone: .name(Messages.database, defaultZoneName), name: row.record)]
        guard case .record(let record)? = try store.read(set).records.first, record.type == row.type else { return nil }
        return record
    }
}

extension MirrorRow {
    fileprivate var settled: MirrorRow {
        var row = self
        row.isCurrent = false
        return row
    }
}

/// The numeric fields of a record of the template.
private struct TemplateNumbers {
    private(set) var identifier: Int64?
    private(set) var isCurrent = false

    init(_ record: RecordRow) {
        let names = [Template.identifier, Template.isCurrent]
        CanonicalFields.read(names, in: record.fields) { place, value in
            if place == 0 { identifier = value.integer } else { isCurrent = value.integer ?? 0 != 0 }
        }
    }
}
