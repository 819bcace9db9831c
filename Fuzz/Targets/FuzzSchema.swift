/// A schema file: an accepted schema is exported and reads the same, an error has a location inside of the file. Another schema follows
/// a line with `=====`: imports and deploys that are allowed do not lose data.
func fuzzSchema(_ bytes: ArraySlice<UInt8>) {
    let parts = split(bytes)
    guard let new = readSchema(parts.first), let old = readSchema(parts.second) else { return }
    let difference = SchemaDifference(from: old.schema, to: new.schema)
    require(old.schema.applying(difference) == new.schema, "a difference does not lead to the other schema")
    require(
        difference.isEmpty == (old.schema == new.schema), "equal schemas have a difference, or different ones have none"
    )
    if new.importRefusals(development: old.schema, production: old.schema).isEmpty {
        let imported = new.schema.imported(over: old.schema)
        require(SchemaDifference(from: old.schema, to: imported).losses.isEmpty, "an import loses data")
    }
    let deployed = new.schema.deployed(to: old.schema)
    require(SchemaDifference(from: old.schema, to: deployed).losses.isEmpty, "a deploy loses data")
}

private func readSchema(_ bytes: ArraySlice<UInt8>) -> SchemaDocument? {
    do throws(SchemaError) {
        let document = try SchemaDocument(bytes)
        let export = SchemaPrinter.print(document.schema)
        require((try? Schema(file: export[...])) == document.schema, "an export reads differently")
        return document
    } catch {
        let breaks = bytes.count { $0 == 0x0A || $0 == 0x0D }
        require((1...breaks + 1).contains(error.line), "an error is after the end of the file")
        require((1...bytes.count + 1).contains(error.column), "an error is after the end of its line")
        require(error.description.utf8.count < 4_096, "an error repeats the file")
        return nil
    }
}

private func split(_ bytes: ArraySlice<UInt8>) -> (first: ArraySlice<UInt8>, second: ArraySlice<UInt8>) {
    let mark = Array("\n=====\n".utf8)
    var index = bytes.startIndex
    while index + mark.count <= bytes.endIndex {
        if bytes[index..<(index + mark.count)].elementsEqual(mark) {
            return (bytes[..<index], bytes[(index + mark.count)...])
        }
        index += 1
    }
    return (bytes, Array("DEFINE SCHEMA RECORD TYPE A (a STRING, b NUMBER, GRANT READ TO \"_world\");".utf8)[...])
}
