import CloudKitWire
public import NephosStorage

/// The fields that somebody wants to see of many records, prepared once. Each has a slot, its number here.
public struct FieldSelection: Sendable {
    /// By slot, each once.
    public private(set) var fields: [RecordField] = []
    /// Names of stored fields in byte order, each once, as the walk over a record wants them.
    private(set) var names: [Name] = []
    /// Under each of `names`: the slots it fills. There are several where a field was removed and came back.
    private(set) var targets: [[Target]] = []
    /// Slots of what records have beside their fields.
    private(set) var systemSlots: [Int] = []

    struct Target: Sendable {
        var slot: Int
        var type: FieldType
        var epoch: Int64
    }

    public init(_ fields: [RecordField] = []) {
        for field in fields { _ = slot(of: field) }
    }

    /// The slot of a field, which is added where it is new.
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
