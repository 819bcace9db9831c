extension TestContainer {
    /// Sets the schema of the container's environment, as a developer would: by importing it into development, and deploying it
    /// from there.
    ///
    /// - Parameter recordTypes: The schema after `DEFINE SCHEMA`.
    /// - Throws: ``CommandFailure``.
    package func importSchema(_ recordTypes: String) throws {
        let folder = try TemporaryFolder(prefix: "nephos-schema")
        let file = folder.path + "/schema.ckdb"
        try writeFile(file, Array("DEFINE SCHEMA\n\(recordTypes)\n".utf8))
        try cloud.server.command("schema", "import", id, file, "--yes")
        if environment == "production" { try cloud.server.command("schema", "deploy", id, "--yes") }
    }

    /// A record type that everybody can read, every user can create, and the creator can write.
    ///
    /// - Parameter fields: With their types and options, in the schema language.
    package static func recordType(_ name: String, _ fields: [String]) -> String {
        let grants = [#"GRANT WRITE TO "_creator""#, #"GRANT CREATE TO "_icloud""#, #"GRANT READ TO "_world""#]
        return "RECORD TYPE \(name) (\((fields + grants).joined(separator: ",\n")));"
    }
}
