public import NephosStorage

/// Creates the keys of records for some indexes of one type. Prepare it once and use it for many records.
public struct IndexKeys: Sendable {
    private let type: TypeNumber?
    private let selection: FieldSelection
    private let shapes: [PreparedShape]

    /// - Parameter shapes: All of one record type.
    public init(_ shapes: [IndexShape]) {
        type = shapes.first?.type
        var selection = FieldSelection()
        self.shapes = shapes.map { PreparedShape($0, &selection) }
        self.selection = selection
    }

    /// The keys of a record for each shape: distinct, ascending. A record that an index leaves out, and one of another type, has
    /// none. All keys share one allocation.
    public func keys(of record: RecordRow) -> [[Bytes]] {
        var steps = 0
        return keys(of: record, &steps)
    }

    /// - Parameter steps: The members and words that were examined, and the comparisons between them, are added.
    func keys(of record: RecordRow, _ steps: inout Int) -> [[Bytes]] {
        guard record.type == type else { return shapes.map { _ in [] } }
        let values = RecordValues(record, selection)
        var buffer: [UInt8] = []
        var ends: [[Int]] = []
        ends.reserveCapacity(shapes.count)
        var lists = PartLists()
        for shape in shapes { ends.append(shape.appendKeys(of: values, &lists, to: &buffer)) }
        steps += lists.steps
        var start = 0
        return ends.map { ends in
            ends.map { end in
                defer { start = end }
                return buffer[start..<end]
            }
        }
    }
}

private struct PreparedShape {
    enum Part: Equatable {
        case value(Int)
        case member(Int)
        case token([Int])
        case cell(Int)
        case order(Int, isDescending: Bool)
    }

    private let parts: [Part]
    /// The index of the part for which a record may have several values.
    private let several: Int?
    private let orderLimit: Int

    init(_ shape: IndexShape, _ selection: inout FieldSelection) {
        var parts: [Part] = []
        var several: Int?
        var orders = 0
        for (index, part) in shape.parts.enumerated() {
            switch part {
            case .value(let field): parts.append(.value(selection.slot(of: field)))
            case .member(let field):
                parts.append(.member(selection.slot(of: field)))
                several = index
            case .token(let fields):
                parts.append(.token(fields.map { selection.slot(of: $0) }))
                several = index
            case .cell(let field): parts.append(.cell(selection.slot(of: field)))
            case .order(let field, let isDescending):
                parts.append(.order(selection.slot(of: field), isDescending: isDescending))
                orders += 1
            }
        }
        self.parts = parts
        self.several = several
        orderLimit = KeyPart.orderLimit(keys: orders)
    }

    /// - Returns: The end of each key.
    func appendKeys(of values: RecordValues, _ lists: inout PartLists, to buffer: inout [UInt8]) -> [Int] {
        let start = buffer.count
        guard let several else {
            guard append(parts[...], of: values, to: &buffer) else {
                buffer.removeLast(buffer.count - start)
                return []
            }
            return [buffer.count]
        }
        var before: [UInt8] = []
        var behind: [UInt8] = []
        guard append(parts[..<several], of: values, to: &before),
            append(parts[(several + 1)...], of: values, to: &behind)
        else { return [] }
        let distinct = lists.distinct(parts[several], of: values)
        if distinct.isOverflowing {
            buffer.append(contentsOf: before + [KeyPart.overflow] + behind)
            return [buffer.count]
        }
        // The surrounding bytes are the same in all, so their order is that of the parts.
        return distinct.map { part in
            buffer.append(contentsOf: before)
            buffer.append(contentsOf: part)
            buffer.append(contentsOf: behind)
            return buffer.count
        }
    }

    /// False if the record lacks a required value.
    private func append(_ parts: ArraySlice<Part>, of values: RecordValues, to key: inout [UInt8]) -> Bool {
        for part in parts {
            switch part {
            case .value(let slot):
                guard case .one(let value) = values[slot] else { return false }
                key.appendPart(value, limit: KeyPart.fixedLimit)
            case .cell(let slot):
                guard case .place(let place) = values[slot] else { return false }
                key.appendPart(cell: Cell(place).first)
            case .order(let slot, let isDescending):
                key.appendOrder(values[slot], isDescending: isDescending, limit: orderLimit)
            case .member, .token: return false
            }
        }
        return true
    }
}

/// The members and words of one record. Several indexes may have the same ones, which are sorted once.
private struct PartLists {
    private var known: [(part: PreparedShape.Part, distinct: DistinctParts)] = []

    var steps: Int { known.reduce(0) { $0 + $1.distinct.steps } }

    mutating func distinct(_ part: PreparedShape.Part, of values: RecordValues) -> DistinctParts {
        if let (_, distinct) = known.first(where: { $0.part == part }) { return distinct }
        var distinct = DistinctParts()
        switch part {
        case .member(let slot):
            if case .list(let members) = values[slot] { for member in members { distinct.insert(member) } }
        case .token(let slots):
            for slot in slots {
                values[slot].forEachToken { word in
                    distinct.insert(word: word)
                    return !distinct.isOverflowing
                }
            }
        case .value, .cell, .order: break
        }
        distinct.finish()
        known.append((part, distinct))
        return distinct
    }
}
