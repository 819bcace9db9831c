package import NephosAssets
package import NephosStorage

/// A store that is copied, or filled by a copy, with its files.
package struct CopiedPlace: Sendable {
    package let engine: any CopyStore
    package let files: any AssetStore
    /// For people. Holds no secret.
    package let name: String

    package init(engine: any CopyStore, files: any AssetStore, name: String) {
        (self.engine, self.files, self.name) = (engine, files, name)
    }

    var fileLocation: FileLocation { FileLocation(files: files, name: name) }
}

/// What became of a copy of a whole store.
package struct CopyReport: Sendable {
    package var rows = CopyComparison()
    /// Tables that this program does not know: they were not copied.
    package var unknownTables: [String] = []
    /// Files that records hold, and their bytes. Each was read and compared with its address.
    package var files = 0
    package var bytes: Int64 = 0
    /// Of these, how many were copied now.
    package var copiedFiles = 0
}
