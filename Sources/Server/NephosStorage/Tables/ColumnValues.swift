import CloudKitWire

/// Takes the values of all columns of a row, nil for a column without a value.
struct ColumnValues: Columns {
    /// Whether secrets are taken as they are, where they could be opened, and not as they lie in the store.
    private let opensSecrets: Bool
    private(set) var values: [ColumnValue?] = []

    init(opensSecrets: Bool = false) { self.opensSecrets = opensSecrets }

    mutating func database(_ number: inout DatabaseNumber) { values.append(.database(number)) }
    mutating func int(_ column: String, _ value: inout Int64) { values.append(.int(value)) }
    mutating func user(_ column: String, _ value: inout UserID) { values.append(.user(value)) }
    mutating func text(_ column: String, _ value: inout String) { values.append(.text(value)) }
    mutating func utf8(_ column: String, _ value: inout Bytes) { values.append(.utf8(value)) }
    mutating func bytes(_ column: String, _ value: inout [UInt8]) { values.append(.bytes(value)) }

    mutating func sealed(_ column: String, _ value: inout Secret) {
        values.append(.bytes(opensSecrets ? value.bytes ?? value.stored : value.stored))
    }

    mutating func sealedText(_ column: String, _ value: inout Secret) {
        if opensSecrets {
            sealed(column, &value)
        } else {
            values.append(.text(value.storedText))
        }
    }

    mutating func skips(_ isNothing: Bool) -> Bool {
        if isNothing { values.append(nil) }
        return isNothing
    }
}

extension StoredRow {
    /// The values of its columns, as they are stored.
    var values: [ColumnValue?] {
        var columns = ColumnValues()
        visit(&columns)
        return columns.values
    }

    /// The values of its key.
    var key: [ColumnValue] { values.prefix(Self.table.key.count).compactMap(\.self) }
}
