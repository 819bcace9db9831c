public import CloudKitWire
public import NephosStorage

/// The zone of an answer, as its zone ID names it.
public struct ZoneIdentity: Sendable, Equatable {
    public var name: Name
    /// nil in the public database.
    public var owner: UserID?

    public init(name: Name, owner: UserID?) {
        self.name = name
        self.owner = owner
    }

    public var isDefault: Bool { name == defaultZoneName }
}

/// A record of an answer.
public struct StoredRecord: Sendable, Equatable {
    public var row: RecordRow
    /// Name of its type.
    public var type: Name

    public init(row: RecordRow, type: Name) {
        self.row = row
        self.type = type
    }
}

/// The record that stands in the way of a save.
public struct ServerRecord: Sendable, Equatable {
    public var record: StoredRecord
    public var zone: ZoneIdentity
}

extension RequestContext {
    func identity(_ zone: Name) -> ZoneIdentity {
        ZoneIdentity(name: zone, owner: scope == .public ? nil : caller.user)
    }

    /// The name of a stored type. - Throws: ``Refusal/failed`` when the catalog lost it.
    func typeName(_ number: TypeNumber) throws(Refusal) -> Name {
        guard let type = catalog.type(number) else { throw .failed }
        return type.row.name
    }

    func stored(_ row: RecordRow) throws(Refusal) -> StoredRecord {
        StoredRecord(row: row, type: try typeName(row.type))
    }
}
