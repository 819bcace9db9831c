public import CloudKitWire

/// A schema read from a file, with the places of its parts.
public struct SchemaDocument: Sendable {
    public internal(set) var schema = Schema()
    /// The place of `DEFINE SCHEMA`.
    public internal(set) var header = SchemaPlace(line: 1, column: 1)
    /// The places of the names of record types.
    public internal(set) var places: [Name: SchemaPlace] = [:]
    /// The places of the data types of fields, by record type and field, including system fields.
    public internal(set) var fieldPlaces: [Name: [Name: SchemaPlace]] = [:]

    /// Parses a schema file.
    ///
    /// - Throws: The first error in the file, with its place.
    public init(_ bytes: ArraySlice<UInt8>, limits: SchemaLimits = SchemaLimits()) throws(SchemaError) {
        var parser = try SchemaParser(bytes, limits: limits)
        self = try parser.document()
    }

    init() {}
}

extension Schema {
    /// Parses a schema file.
    ///
    /// - Throws: The first error in the file, with its place.
    public init(file bytes: ArraySlice<UInt8>, limits: SchemaLimits = SchemaLimits()) throws(SchemaError) {
        self = try SchemaDocument(bytes, limits: limits).schema
    }
}
