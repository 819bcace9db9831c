public import CloudKitWire

/// A schema that was read from a file, and where its parts stand there.
public struct SchemaDocument: Sendable {
    public internal(set) var schema = Schema()
    /// Where `DEFINE SCHEMA` stands.
    public internal(set) var header = SchemaPlace(line: 1, column: 1)
    /// Where the names of record types stand.
    public internal(set) var places: [Name: SchemaPlace] = [:]
    /// Where the data types of fields stand, by record type and field; those of system fields too.
    public internal(set) var fieldPlaces: [Name: [Name: SchemaPlace]] = [:]

    /// Reads a schema file.
    ///
    /// - Throws: What is wrong with the file, the first thing only, with its place.
    public init(_ bytes: ArraySlice<UInt8>, limits: SchemaLimits = SchemaLimits()) throws(SchemaError) {
        var parser = try SchemaParser(bytes, limits: limits)
        self = try parser.document()
    }

    init() {}
}

extension Schema {
    /// Reads a schema file.
    ///
    /// - Throws: What is wrong with the file, the first thing only, with its place.
    public init(file bytes: ArraySlice<UInt8>, limits: SchemaLimits = SchemaLimits()) throws(SchemaError) {
        self = try SchemaDocument(bytes, limits: limits).schema
    }
}
