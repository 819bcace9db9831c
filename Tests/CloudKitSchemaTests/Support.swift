import CloudKitSchema
import CloudKitWire
import Foundation
import Testing

/// Parses a schema; the test fails if it is not valid.
func schema(_ text: String, limits: SchemaLimits = SchemaLimits()) throws -> Schema {
    try Schema(file: Array(text.utf8)[...], limits: limits)
}

/// A schema with one record type `T` and these items.
func schema(items: String) throws -> Schema { try schema("DEFINE SCHEMA RECORD TYPE T (\(items));") }

/// Why a text is not a valid schema; nil if it is.
func refusal(_ bytes: [UInt8], limits: SchemaLimits = SchemaLimits()) -> SchemaError? {
    do throws(SchemaError) {
        _ = try SchemaDocument(bytes[...], limits: limits)
        return nil
    } catch {
        return error
    }
}

func refusal(_ text: String, limits: SchemaLimits = SchemaLimits()) -> SchemaError? {
    refusal(Array(text.utf8), limits: limits)
}

/// The export of a schema.
func printed(_ schema: Schema) -> String { String(decoding: SchemaPrinter.print(schema), as: UTF8.self) }

/// The seeds of property tests: 24 fixed ones, or the one in the environment variable SEED, to reproduce a failure.
let seeds: [UInt64] = ProcessInfo.processInfo.environment["SEED"].flatMap(UInt64.init).map { [$0] } ?? Array(1...24)

extension Schema.DataType {
    /// A plain type; there is one for every kind that a schema can express.
    static func plain(_ kind: FieldType) throws -> Schema.DataType { try #require(Schema.DataType(kind)) }
}
