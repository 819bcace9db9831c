import CloudKitWire
import NephosStorage

/// The model of a record in a history.
struct ModelRecord: Equatable {
    var sequence: Sequence
    var type: TypeNumber
    var fields: Bytes
    var references: [ReferenceTarget]
}

/// The model of a zone's incarnation in a history.
struct ModelZone: Equatable {
    var number: ZoneNumber
    var changed: Sequence
    var records: [Name: ModelRecord] = [:]
    var tombstones: [Name: Tombstone] = [:]
    /// The newest purged tombstone.
    var purged: Sequence = 0

    struct Tombstone: Equatable {
        var sequence: Sequence
        var deletedAt: Milliseconds
    }

    /// The cascade below a root, as `target<name` edges.
    func cascade(_ root: Name) -> Set<String> {
        var edges: Set<String> = []
        var targets = [root]
        while let target = targets.popLast() {
            for (name, record) in records where record.references.contains(.init(target: target, kind: .deleteSelf)) {
                if edges.insert("\(target)<\(name)").inserted { targets.append(name) }
            }
        }
        return edges
    }

    func referrers(_ target: Name, _ kind: ReferenceKind) -> Set<Name> {
        let reference = ReferenceTarget(target: target, kind: kind)
        return Set(records.filter { $0.value.references.contains(reference) }.keys)
    }

    mutating func purge(before time: Milliseconds) {
        for (name, tombstone) in tombstones where tombstone.deletedAt < time {
            purged = max(purged, tombstone.sequence)
            tombstones[name] = nil
        }
    }
}

/// A database in memory: the expected contents of an engine after the same history.
struct ModelDatabase {
    struct DeadZone {
        var name: Name
        var deletion: Sequence
        var deletedAt: Milliseconds
    }

    var sequence: Sequence
    var lastZone: ZoneNumber = 1
    var live: [Name: ModelZone]
    var dead: [DeadZone] = []
    /// The deletion of the last purged zone.
    var purged: Sequence = 0

    /// The state when `head` was read: only a default zone.
    init(_ head: HeadRow, defaultZone: ZoneRow) {
        sequence = head.sequence
        live = [defaultZoneName: ModelZone(number: defaultZone.number, changed: defaultZone.changedSequence)]
    }

    mutating func create(_ name: Name) {
        sequence += 1
        lastZone += 1
        live[name] = ModelZone(number: lastZone, changed: sequence)
    }

    mutating func delete(_ name: Name, at time: Milliseconds) {
        sequence += 1
        live[name] = nil
        dead.append(DeadZone(name: name, deletion: sequence, deletedAt: time))
    }

    mutating func apply(_ changes: [Change], in name: Name, at time: Milliseconds) {
        guard var zone = live[name] else { return }
        for change in changes {
            switch change.action {
            case .save(let fields, let type, let references, _):
                sequence += 1
                zone.tombstones[change.name] = nil
                zone.records[change.name] = ModelRecord(
                    sequence: sequence, type: type, fields: fields, references: references)
            case .delete, .discard:
                guard zone.records.removeValue(forKey: change.name) != nil else { continue }
                sequence += 1
                zone.tombstones[change.name] = .init(sequence: sequence, deletedAt: time)
            }
            zone.changed = sequence
        }
        live[name] = zone
    }

    /// Purges what was deleted before `time`; all dead zones must have been swept.
    mutating func purge(before time: Milliseconds) {
        for name in live.keys { live[name]?.purge(before: time) }
        for zone in dead where zone.deletedAt < time { purged = max(purged, zone.deletion) }
        dead.removeAll { $0.deletedAt < time }
    }
}
