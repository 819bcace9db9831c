/// One operation of `records/modify`.
public struct RecordOperation: Sendable {
    public enum Kind: String, Sendable, CaseIterable {
        case create, update, forceUpdate, replace, forceReplace, delete, forceDelete
    }

    public var kind: Kind
    public var record: RecordInput
    /// nil if the operation has no selection of its own.
    public var desiredKeys: DesiredKeys?
    /// nil if the operation does not specify it.
    public var numbersAsStrings: Bool?

    init(_ reader: inout JSONReader) throws(WireError) {
        var kind: Kind?
        var record: RecordInput?
        var desiredKeys: DesiredKeys?
        var numbersAsStrings: Bool?
        try reader.readMembers { reader, key throws(WireError) in
            switch key {
            case "operationType": kind = try reader.readCase("operationType")
            case "record": record = try RecordInput(&reader)
            case "desiredKeys": desiredKeys = try DesiredKeys(&reader)
            case "numbersAsStrings": numbersAsStrings = try reader.readBool()
            default: break
            }
        }
        guard let kind else { throw WireError.missing("operationType") }
        guard let record else { throw WireError.missing("record") }
        self.kind = kind
        self.record = record
        self.desiredKeys = desiredKeys
        self.numbersAsStrings = numbersAsStrings
    }
}

/// The record of an operation, with the members that a client may set. Names share the request's memory.
public struct RecordInput: Sendable {
    public enum Parent: Sendable, Equatable {
        /// Not specified.
        case unchanged
        /// `null`.
        case clear
        case set(Name)
    }

    public var recordName: Name?
    public var recordType: Name?
    public var recordChangeTag: Name?
    /// The record's own zone; nil for that of the request.
    public var zoneID: ZoneIDDictionary?
    public var fields: FieldsInput = .empty
    public var parent: Parent = .unchanged
    /// The zone given for the parent, if any; it must be the record's.
    public var parentZoneID: ZoneIDDictionary?
    public var createShortGUID = false
    /// What it says of a share; nil for other records.
    public var share: ShareInput?

    init(_ reader: inout JSONReader) throws(WireError) {
        var share: ShareMembers?
        try reader.readObject { reader, key throws(WireError) in
            if try reader.readNull() {
                if case "parent" = key { self.parent = .clear }
                return
            }
            switch key {
            case "recordName": self.recordName = try reader.readName()
            case "recordType": self.recordType = try reader.readName()
            case "recordChangeTag": self.recordChangeTag = try reader.readName()
            case "zoneID": self.zoneID = try ZoneIDDictionary(&reader)
            case "fields":
                guard try reader.kind == .object else { throw reader.unexpected("an object") }
                self.fields = FieldsInput(checked: try reader.skipValue())
            case "parent": try self.readParent(&reader)
            case "createShortGUID": self.createShortGUID = try reader.readBool()
            default: try ShareMembers.read(key, &reader, into: &share)
            }
        }
        self.share = share.map(ShareInput.init)
    }

    private mutating func readParent(_ reader: inout JSONReader) throws(WireError) {
        var name: Name?
        var zoneID: ZoneIDDictionary?
        try reader.readMembers { reader, key throws(WireError) in
            switch key {
            case "recordName": name = try reader.readName()
            case "zoneID": zoneID = try ZoneIDDictionary(&reader)
            default: break
            }
        }
        guard let name else { throw WireError.missing("recordName") }
        parent = .set(name)
        parentZoneID = zoneID
    }
}
