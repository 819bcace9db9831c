import CloudKitWire
public import NephosStorage

/// The fields to read from many records, prepared once. Each has a slot, its number here.
public struct FieldSelection: Sendable {
    /// By slot, each once.
    public private(set) var fields: [RecordField] = []
    /// Names of stored fields in byte order, distinct, as required by the walk over a record.
    private(set) var names: [Name] = []
    /// For each of `names`: the slots that it fills. There are several if a field was removed and added again.
    private(set) var targets: [[Target]] = []
    /// Slots of a record's system fields.
    private(set) var systemSlots: [Int] = []

    struct Target: Sendable {
        var slot: Int
        var type: FieldType
        var epoch: Int64
    }

    public init(_ fields: [RecordField] = []) {
        for field in fields { _ = slot(of: field) }
    }

    /// The slot of a field, which is added if it is new.
    public mutating func slot(of field: RecordField) -> Int {
        if let known = fields.firstIndex(of: field) { return known }
        let slot = fields.count
        fields.append(field)
        guard case .field(let name, let type, let epoch) = field else {
            systemSlots.append(slot)
            return slot
        }
        let target = Target(slot: slot, type: type, epoch: epoch)
        let index = names.firstIndex { !($0 < name) } ?? names.count
        if index < names.count, names[index] == name {
            targets[index].append(target)
        } else {
            names.insert(name, at: index)
            targets.insert([target], at: index)
        }
        return slot
    }
}
